import { join } from 'node:path';
import type { Actor } from '../../base/actor.ts';
import { ApiError, apiError, busy, invalid } from '../../base/errors.ts';
import type { Committed } from '../../changes/followers.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import type { ActiveStorage } from '../../storage/active.ts';
import { DiskCache } from '../../storage/disk-cache.ts';
import { LocalStorage } from '../../storage/local.ts';
import type {
  MigrationStart,
  MigrationStatus,
  S3Update,
  StorageCheck,
  StorageSettings,
  StorageUpdate,
} from '../../storage/model.ts';
import type { S3Config } from '../../storage/s3/config.ts';
import { openObjects } from '../../storage/s3/objects.ts';
import { probeConfig } from '../../storage/s3/probe.ts';
import { entered, isEmpty, parseS3Config, presentS3 } from '../../storage/s3-settings.ts';
import { Staging } from '../../storage/staging.ts';
import { readStorage, type StoredS3, type StoredStorage, saveStorage } from '../../storage/store.ts';
import { type RemoteStorage, UsedStorage } from '../../storage/used-storage.ts';
import { MediaCounter } from './media-count.ts';
import { Migration, type MigrationPlan } from './migration.ts';

export type StorageParts = Pick<
  SharedServices,
  | 'config'
  | 'reader'
  | 'changes'
  | 'secrets'
  | 'outgoing'
  | 'clock'
  | 'monotonic'
  | 'log'
  | 'nodeState'
  | 'findOtherNode'
>;

/** What `open` makes, for the constructor. */
interface OpenedParts {
  readonly local: LocalStorage;
  readonly staging: Staging;
  readonly cache: DiskCache;
  readonly stored: StoredStorage;
  readonly retryMs: number;
}

/** A test answers within this time in milliseconds; somebody waits for it. */
const probeMs = 10_000;
/** The same at the start, which should not take long. */
const startProbeMs = 5_000;
/** How often object storage is tried again that did not work at the start, in milliseconds. */
const defaultRetryMs = 30_000;

/** Where media lie, and the settings about it (Data, Automation and Operations, "Media storage"). */
export class StorageService {
  readonly staging: Staging;
  readonly #parts: StorageParts;
  readonly #local: LocalStorage;
  readonly #used: UsedStorage;
  readonly #cache: DiskCache;
  readonly #counter: MediaCounter;
  readonly #migration: Migration;
  /** The settings of the last commit. */
  #stored: StoredStorage;
  /** How often another node has saved other settings. */
  #followed = 0;
  /** How often another node has stored or deleted media. */
  #mediaOfOthers = 0;
  /** The last of the changes of settings, which run one after the other: each saves all settings. */
  #lastUpdate: Promise<unknown> = Promise.resolve();

  private constructor(parts: StorageParts, { local, staging, cache, stored, retryMs }: OpenedParts) {
    this.#parts = parts;
    this.#local = local;
    this.staging = staging;
    this.#cache = cache;
    this.#stored = stored;
    this.#used = new UsedStorage({
      dataDir: parts.config.dataDir,
      log: parts.log,
      local,
      staging,
      cache,
      isShared: parts.nodeState !== undefined,
      retryMs,
      onRetry: () => this.#retry(),
    });
    this.#counter = new MediaCounter(parts.monotonic);
    this.#migration = new Migration({ ...parts, active: this.media, staging });
  }

  /** The storage in use; it stays the same object when another storage is used. */
  get media(): ActiveStorage {
    return this.#used.media;
  }

  /**
   * Opens the configured storage. If it is object storage that does not work, local files are used until it does.
   *
   * @param retryMs how often it is tried again, in milliseconds
   */
  static async open(parts: StorageParts, retryMs = defaultRetryMs): Promise<StorageService> {
    const { dataDir } = parts.config;
    const stored = await readStorage(parts.reader);
    const cacheBytes = bytesOfCache(stored, parts);
    const service = new StorageService(parts, {
      stored,
      retryMs,
      local: await LocalStorage.open(join(dataDir, 'media')),
      // Below the media, which may lie on another disk: finished files are moved by renaming them.
      staging: await Staging.open(join(dataDir, 'media', '.staging')),
      cache: await DiskCache.open(join(dataDir, 'media-cache'), cacheBytes),
    });
    if (stored.type === 's3') await service.#startRemote();
    return service;
  }

  /** GET /storage */
  async get(): Promise<StorageSettings> {
    const { config, secrets } = this.#parts;
    const { maxBytes, usedBytes, entries } = this.#cache.use;
    const { source, fault } = this.#used;
    return {
      type: this.media.type,
      s3: this.#stored.s3 === null ? null : presentS3(this.#stored.s3),
      cache_mb: this.#stored.cache_mb,
      cache: {
        enabled: this.media.type === 's3' && maxBytes > 0,
        max_bytes: maxBytes,
        used_bytes: usedBytes,
        entries,
        default_bytes: config.mediaCacheMb * mb,
      },
      media: await this.#counter.count(source),
      migration: this.#migration.status,
      encryption: secrets.source,
      ...(fault === undefined ? {} : { error: fault.message, error_code: fault.code }),
    };
  }

  /** PUT /storage. @throws ApiError `storage.migrationRunning`, `storage.migrationRequired`, those of a test */
  update(actor: Actor, body: StorageUpdate): Promise<void> {
    return this.#inTurn(async () => {
      if (body.s3 !== undefined) await this.#updateS3(actor, body.s3);
      if (body.cache_mb !== undefined) {
        await this.#save(actor, { cache_mb: body.cache_mb });
        this.#cache.resize(bytesOfCache(this.#stored, this.#parts));
      }
    });
  }

  /** POST /storage/check. @throws ApiError that tells what does not work */
  async check({ s3 }: StorageCheck): Promise<void> {
    await this.#probe(this.#enteredConfig(s3), probeMs);
  }

  /** POST /storage/migrate. @throws ApiError `storage.migrationRunning`, `storage.sameTarget` and others */
  migrate(actor: Actor, body: MigrationStart): Promise<MigrationStatus> {
    return this.#inTurn(async () => {
      this.#refuseWhileMigrating();
      if (body.target === this.media.type) throw apiError('storage.sameTarget', { target: body.target });
      if (body.target === 'local') await this.#requireOnlyNode();
      const deleteOld = body.delete_old ?? false;
      this.#migration.start(
        body.target === 's3'
          ? this.#planToRemote(actor, body.s3, deleteOld)
          : this.#planToLocal(actor, deleteOld),
      );
      return this.#migration.status;
    });
  }

  /** GET /storage/migrate */
  get migration(): MigrationStatus {
    return this.#migration.status;
  }

  /** DELETE /storage/migrate. @throws ApiError `storage.migrationNotRunning`, `storage.migrationTooLate` */
  cancelMigration(): void {
    this.#migration.cancel();
  }

  /**
   * Reads the settings again after a commit. If another node has saved them, uses the storage that they name when this
   * resolves. It sends nothing and waits for no change, because no change runs meanwhile.
   */
  async follow({ isOwn }: Pick<Committed, 'isOwn'>): Promise<void> {
    try {
      const stored = await readStorage(this.#parts.reader);
      const isSame = JSON.stringify(stored) === JSON.stringify(this.#stored);
      this.#stored = stored;
      if (isOwn || isSame) return;
      this.#followed += 1;
      this.#useStored();
    } catch (error) {
      if (!isOwn) this.#used.followFault(toFault(error));
      throw error;
    }
  }

  /** A commit that may have come with new objects. A migration of this node has not listed those of other nodes. */
  noteMedia({ isOwn }: Pick<Committed, 'isOwn'>): void {
    if (!isOwn) this.#mediaOfOthers += 1;
  }

  async close(): Promise<void> {
    this.#used.stopRetrying();
    await this.#lastUpdate;
    this.#used.stopRetrying();
    await this.#migration.close();
    await this.#cache.close();
  }

  /** Uses what the settings name, without a test. */
  #useStored(): void {
    this.#cache.resize(bytesOfCache(this.#stored, this.#parts));
    try {
      this.#used.follow(
        this.#stored.type === 'local' ? undefined : this.#open(this.#enteredConfig(undefined)),
      );
    } catch (error) {
      this.#used.followFault(toFault(error));
    }
  }

  /** Uses the configured object storage, or bridges the time until it works. */
  async #startRemote(): Promise<void> {
    try {
      const config = this.#enteredConfig(undefined);
      await this.#probe(config, startProbeMs);
      await this.#used.useRemote(this.#open(config), async () => {});
    } catch (error) {
      await this.#used.useWithout(toFault(error));
    }
  }

  #retry(): void {
    this.#inTurn(async () => {
      if (this.#used.fault === undefined) return;
      if (this.#migration.isRunning) return this.#used.retryLater();
      this.#stored = await readStorage(this.#parts.reader);
      if (this.#stored.type === 'local') this.#useStored();
      else await this.#startRemote();
    }).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'the settings of the storage could not be read');
      this.#used.retryLater();
    });
  }

  async #updateS3(actor: Actor, update: S3Update): Promise<void> {
    this.#refuseWhileMigrating();
    const next = entered(update, { ...this.#parts, base: this.#stored.s3, stored: this.#stored.s3 });
    if (this.#stored.type === 'local') {
      await this.#save(actor, { s3: isEmpty(next) ? null : next });
      return;
    }
    const config = this.#configOf(next);
    const before = this.#stored.s3;
    if (before !== null && next.bucket !== before.bucket)
      throw apiError('storage.migrationRequired', { field: 's3.bucket' });
    if (before !== null && trimSlashes(next.prefix) !== trimSlashes(before.prefix))
      throw apiError('storage.migrationRequired', { field: 's3.prefix' });
    await this.#probe(config, probeMs);
    await this.#used.useRemote(this.#open(config), () => this.#save(actor, { s3: next }));
  }

  #planToRemote(actor: Actor, update: S3Update | undefined, deleteOld: boolean): MigrationPlan {
    const s3 = this.#entered(update);
    const config = this.#configOf(s3);
    const remote = this.#open(config);
    const ended = new AbortController();
    return {
      from: this.#local,
      to: this.#open(config, ended.signal).objects,
      next: this.#used.cached(remote),
      deleteOld,
      check: () => this.#probe(config, probeMs),
      save: async () => {
        await this.#used.carryOutage(remote, () => this.#switch(actor, { type: 's3', s3 }));
        this.#used.exchanged(remote);
      },
      abort: () => ended.abort(),
    };
  }

  #planToLocal(actor: Actor, deleteOld: boolean): MigrationPlan {
    const { remote, fault } = this.#used;
    if (remote === undefined) throw fault ?? apiError('storage.sameTarget', { target: 'local' });
    const ended = new AbortController();
    const before = this.#mediaOfOthers;
    return {
      from: this.#open(remote.config, ended.signal).objects,
      to: this.#local,
      next: this.#local,
      deleteOld,
      check: async () => (await this.staging.create()).discard(),
      save: async () => {
        await this.#switch(actor, { type: 'local' }, async () => {
          await this.#requireOnlyNode();
          if (this.#mediaOfOthers !== before)
            throw apiError('storage.otherNodes', { node: 'one that has stored media meanwhile' });
        });
        this.#used.exchanged(undefined);
        this.#cache.clear();
      },
      abort: () => ended.abort(),
    };
  }

  /**
   * Saves another storage as a change of content, so that the page cache is purged.
   *
   * @param check inside the change, when no other node can commit or begin to serve
   */
  #switch(
    actor: Actor,
    fields: Partial<StoredStorage>,
    check: () => Promise<void> = async () => {},
  ): Promise<void> {
    return this.#inTurn(async () => {
      const { type } = this.#stored;
      await this.#parts.changes.change(actor, async ({ tx }) => {
        await check();
        await mergeStorage(tx, type, fields);
      });
    });
  }

  /** Other fields may be those that another node has saved meanwhile. `#stored` follows the commit. */
  async #save(actor: Actor, fields: Partial<StoredStorage>): Promise<void> {
    const { type } = this.#stored;
    await this.#parts.changes.changeUnversioned(actor, ({ tx }) => mergeStorage(tx, type, fields));
  }

  /** Local files are missing on other nodes. @throws ApiError `storage.otherNodes` */
  async #requireOnlyNode(): Promise<void> {
    const node = await this.#parts.findOtherNode();
    if (node !== undefined) throw apiError('storage.otherNodes', { node });
  }

  /** @param signal ends all requests */
  #open(config: S3Config, signal?: AbortSignal): RemoteStorage {
    return {
      config,
      objects: openObjects(config, { ...this.#parts, ...(signal === undefined ? {} : { signal }) }),
    };
  }

  #probe(config: S3Config, totalMs: number): Promise<void> {
    return probeConfig(config, { ...this.#parts, retriesMs: [], timeouts: { headersMs: totalMs, totalMs } });
  }

  /** The configuration that a request carries, or else the stored one. */
  #enteredConfig(update: S3Update | undefined): S3Config {
    return this.#configOf(this.#entered(update));
  }

  #entered(update: S3Update | undefined): StoredS3 {
    if (update !== undefined) return entered(update, { ...this.#parts, stored: this.#stored.s3 });
    if (this.#stored.s3 === null) throw invalid('s3', 'is required, because no configuration is stored');
    return this.#stored.s3;
  }

  #configOf(s3: StoredS3): S3Config {
    return parseS3Config(s3, this.#parts.secrets, this.#parts.outgoing);
  }

  #refuseWhileMigrating(): void {
    if (this.#migration.isRunning) throw apiError('storage.migrationRunning', {});
  }

  /** Work that uses a storage has read the settings before; those that another node has saved meanwhile win. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastUpdate.then(async () => {
      const before = this.#followed;
      try {
        return await work();
      } finally {
        if (this.#followed !== before) this.#useStored();
      }
    });
    this.#lastUpdate = turn.catch(() => {});
    return turn;
  }
}

/** @param type where media were when the caller decided. @throws ApiError `common.busy` if they have moved since */
async function mergeStorage(
  db: ContentDb,
  type: StoredStorage['type'],
  fields: Partial<StoredStorage>,
): Promise<void> {
  const stored = await readStorage(db);
  if (stored.type !== type) throw busy(1);
  await saveStorage(db, { ...stored, ...fields });
}

function toFault(error: unknown): ApiError {
  return error instanceof ApiError ? error : apiError('storage.checkFailed', { error: String(error) });
}

const mb = 2 ** 20;

function bytesOfCache({ cache_mb }: StoredStorage, { config }: StorageParts): number {
  return (cache_mb === 0 ? config.mediaCacheMb : cache_mb) * mb;
}

function trimSlashes(prefix: string): string {
  return prefix.replace(/^\/+|\/+$/g, '');
}
