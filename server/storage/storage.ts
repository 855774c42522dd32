/** Where the bytes of media lie. Local files and object storage are used through the same interface. */
import type { Readable } from 'node:stream';
import type { MediaKey } from './media-key.ts';
import type { StagedFile } from './staging.ts';

export interface StoredObject {
  /** In bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
}

/** A part of an object; both ends are included, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface OpenedObject extends StoredObject {
  /** The bytes of the object, or of the range. Must be read to its end or destroyed. */
  readonly body: Readable;
}

export interface ListedObject extends StoredObject {
  readonly key: MediaKey;
}

/** Where media can lie; migrations copy from one to the other. */
export interface ObjectStore {
  readonly type: 'local' | 's3';
  /**
   * Stores a finished temporary file under a key, whole or not at all; it replaces an object of that key. The
   * object survives a power loss when this resolves. The temporary file is gone afterwards.
   */
  put(key: MediaKey, file: StagedFile): Promise<void>;
  /** Undefined: no such object. */
  stat(key: MediaKey): Promise<StoredObject | undefined>;
  /**
   * Opens an object for reading. Undefined: no such object.
   *
   * @param range within the object
   */
  open(key: MediaKey, range?: ByteRange): Promise<OpenedObject | undefined>;
  /** Deletes an object; no error if there is none. */
  remove(key: MediaKey): Promise<void>;
  /** All objects whose names are keys, in any order. Objects that are written meanwhile may be missing. */
  list(): AsyncIterable<ListedObject>;
  /**
   * Deletes what `put`s of earlier processes have left that were interrupted, and is no object; returns how much.
   * Running ones of this process go on.
   */
  removeUnfinished(): Promise<number>;
}

/** The media storage as the server uses it. */
export interface MediaStorage extends ObjectStore {
  /**
   * Path of a file that a process of this machine can read: the object itself or a copy of it. It must be read at
   * once, because copies are deleted later. Undefined: no such object.
   */
  localCopy(key: MediaKey): Promise<string | undefined>;
}
