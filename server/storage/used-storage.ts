import { join } from 'node:path';
import type { ApiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { ActiveStorage } from './active.ts';
import { CachedStorage } from './cached.ts';
import type { DiskCache } from './disk-cache.ts';
import { FailedStorage } from './failed-storage.ts';
import type { LocalStorage } from './local.ts';
import { OutageJournal, OutageStorage } from './outage.ts';
import type { S3Config } from './s3/config.ts';
import type { S3Objects } from './s3/objects.ts';
import type { Staging } from './staging.ts';
import type { ObjectStore } from './storage.ts';

/** Object storage that can be used. */
export interface RemoteStorage {
  readonly config: S3Config;
  readonly objects: S3Objects;
}

export interface UsedStorageOptions {
  readonly dataDir: string;
  readonly local: LocalStorage;
  readonly staging: Staging;
  readonly cache: DiskCache;
  readonly log: Log;
  /** Whether other nodes use the same object storage, so that local files must not stand in for it. */
  readonly isShared: boolean;
  /** How often object storage that does not work is tried again, in milliseconds. */
  readonly retryMs: number;
  /** Tries it again. */
  readonly onRetry: () => void;
}

/**
 * The storage in use: local files, object storage, or local files as long as the object storage does not work. What is
 * written and deleted in such an outage is carried over when it works again. On a node of several, reads and writes
 * fail in an outage.
 */
export class UsedStorage {
  /** It stays the same object when another storage is used. */
  readonly media: ActiveStorage;
  readonly #options: UsedStorageOptions;
  readonly #journal: OutageJournal;
  #remote: RemoteStorage | undefined;
  #fault: ApiError | undefined;
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(options: UsedStorageOptions) {
    this.#options = options;
    this.#journal = new OutageJournal(join(options.dataDir, 'media-outage'));
    this.media = new ActiveStorage(options.local);
  }

  /** The object storage in use. */
  get remote(): RemoteStorage | undefined {
    return this.#remote;
  }

  /** Where the objects in use lie, without copies. */
  get source(): ObjectStore {
    if (this.#remote !== undefined) return this.#remote.objects;
    return this.#options.isShared && this.#fault !== undefined ? this.media : this.#options.local;
  }

  /** Why the object storage cannot be used. */
  get fault(): ApiError | undefined {
    return this.#fault;
  }

  /** Uses what another node has saved, without waiting for anything. @param remote undefined for local files */
  follow(remote: RemoteStorage | undefined): void {
    this.stopRetrying();
    this.media.replace(remote === undefined ? this.#options.local : this.cached(remote));
    this.exchanged(remote);
  }

  /** As `follow`, when what was saved cannot be used. */
  followFault(fault: ApiError): void {
    this.stopRetrying();
    this.media.replace(new FailedStorage(fault));
    this.#remote = undefined;
    this.#fail(fault);
  }

  /**
   * Uses object storage from now on, with all that was written or deleted in local files during an outage.
   *
   * @param save stores the setting
   */
  async useRemote(remote: RemoteStorage, save: () => Promise<void>): Promise<void> {
    await this.media.exchange(this.cached(remote), () => this.carryOutage(remote, save));
    if (this.#fault !== undefined) this.#options.log.info({}, 'object storage works again');
    this.exchanged(remote);
  }

  /** Bridges the time until the object storage works, which is tried again. */
  async useWithout(fault: ApiError): Promise<void> {
    const { local, isShared } = this.#options;
    const bridge = isShared ? new FailedStorage(fault) : new OutageStorage(local, this.#journal);
    if (isShared || this.#fault === undefined) await this.media.exchange(bridge, async () => {});
    this.#fail(fault);
  }

  retryLater(): void {
    const { retryMs, onRetry } = this.#options;
    this.#retryTimer = setTimeout(onRetry, retryMs).unref();
  }

  stopRetrying(): void {
    clearTimeout(this.#retryTimer);
  }

  cached({ objects }: RemoteStorage): CachedStorage {
    return new CachedStorage(objects, this.#options.cache);
  }

  /** Brings what was done during an outage to object storage, then calls `save`. */
  async carryOutage({ objects }: RemoteStorage, save: () => Promise<void>): Promise<void> {
    const { local, staging } = this.#options;
    await this.#journal.carryOver({ from: local, to: objects, staging });
    await save();
    await this.#journal.forget();
  }

  /** Another storage is in use now, and works. @param remote undefined for local files */
  exchanged(remote: RemoteStorage | undefined): void {
    this.#remote = remote;
    this.#fault = undefined;
  }

  #fail(fault: ApiError): void {
    const { isShared, log } = this.#options;
    const { code, message } = fault;
    if (this.#fault === undefined)
      log.error(
        { code, error: message },
        `object storage does not work, ${isShared ? 'requests for media fail' : 'local files are used'}`,
      );
    this.#fault = fault;
    this.retryLater();
  }
}
