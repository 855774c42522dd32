/**
 * Reads objects of the media storage from another process, beside a running server or without one. It changes nothing.
 *
 * Where objects lie may change meanwhile (a migration, an outage of the object storage), so an object is looked for in
 * all places, and once more with the settings read again.
 */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import type { Secrets } from '../base/secrets.ts';
import type { ContentDb } from '../db/tables.ts';
import type { Outgoing } from '../http/outgoing/client.ts';
import { OutgoingError } from '../http/outgoing/errors.ts';
import { LocalStorage } from './local.ts';
import type { MediaKey } from './media-key.ts';
import { errorOfOutgoing } from './s3/errors.ts';
import { openObjects } from './s3/objects.ts';
import { parseS3Config } from './s3-settings.ts';
import type { ObjectStore, OpenedObject } from './storage.ts';
import { readStorage } from './store.ts';

export interface ObjectReaderDeps {
  readonly dataDir: string;
  /** The database of the server, for its settings. */
  readonly db: ContentDb;
  readonly secrets: Secrets;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
}

/** How often the connection may break while one object is read. */
const attempts = 3;

export class ObjectReader {
  readonly #deps: ObjectReaderDeps;
  #places: Promise<readonly ObjectStore[]>;

  constructor(deps: ObjectReaderDeps) {
    this.#deps = deps;
    this.#places = this.#open();
  }

  /** The bytes of an object; undefined if it is nowhere. @throws ApiError of the storage */
  async open(key: MediaKey): Promise<AsyncGenerator<Buffer> | undefined> {
    const found = await this.#find(key);
    if (found !== undefined) return found;
    this.#places = this.#open();
    return this.#find(key);
  }

  async #find(key: MediaKey): Promise<AsyncGenerator<Buffer> | undefined> {
    for (const place of await this.#places) {
      const opened = await place.open(key);
      if (opened !== undefined) return bytesOf(place, key, opened);
    }
    return undefined;
  }

  /** The place in use comes first. */
  async #open(): Promise<readonly ObjectStore[]> {
    const { dataDir, db, secrets, outgoing } = this.#deps;
    const { type, s3 } = await readStorage(db);
    const local = await LocalStorage.open(join(dataDir, 'media'));
    if (type === 'local' || s3 === null) return [local];
    return [openObjects(parseS3Config(s3, secrets, outgoing), this.#deps), local];
  }
}

/** A content never changes under its key, so what a broken connection has left out is read as a part. */
async function* bytesOf(place: ObjectStore, key: MediaKey, first: OpenedObject): AsyncGenerator<Buffer> {
  let body: Readable | undefined = first.body;
  let position = 0;
  for (let attempt = 1; body !== undefined; attempt++) {
    try {
      for await (const part of body) {
        const bytes: Buffer = part;
        position += bytes.length;
        yield bytes;
      }
      return;
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      if (attempt === attempts) throw errorOfOutgoing(error);
    }
    body = (await place.open(key, { start: position, end: first.size - 1 }))?.body;
  }
  throw new Error(`the object ${key} was deleted while it was read`);
}
