import { join } from 'node:path';
import type { Actor } from '../../base/actor.ts';
import { unixSeconds } from '../../base/clock.ts';
import { ApiError, apiError, invalid } from '../../base/errors.ts';
import { requireConfirmed } from '../../base/refusals/confirmation.ts';
import type { Committed } from '../../changes/followers.ts';
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
import { entered, hasOtherTarget, isEmpty, presentS3 } from '../../storage/s3-settings.ts';
import { Staging } from '../../storage/staging.ts';
import { readStorage, type StoredS3, type StoredStorage } from '../../storage/store.ts';
import { UsedStorage } from '../../storage/used-storage.ts';
import { MediaCounter } from './media-count.ts';
import { Migration } from './migration.ts';
import { MigrationPlans } from './migration-plans.ts';
import { RemoteAccess } from './remote-access.ts';
import { StorageSaver } from './storage-saver.ts';

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
  readonly #used: UsedStorage;
  readonly #cache: DiskCache;
  readonly #counter: MediaCounter;
  readonly #migration: Migration;
  readonly #plans: MigrationPlans;
  readonly #access: RemoteAccess;
  readonly #saver: StorageSaver;
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
    this.staging = staging;
    this.#cache = cache;
    this.#stored = stored;
    this.#access = new RemoteAccess(parts);
    this.#saver = new StorageSaver(parts.changes);
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
    this.#plans = new MigrationPlans({
      ...{ local, staging, cache, probeMs, used: this.#used, access: this.#access },
      countMediaOfOthers: () => this.#mediaOfOthers,
      requireOnlyNode: () => this.#requireOnlyNode(),
      saveType: (actor, fields, check) =>
        this.#inTurn(() => this.#saver.saveType(actor, this.#stored.type, fields, check)),
    });
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
    await this.#access.probe(this.#enteredConfig(s3), probeMs);
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
          ? this.#plans.toRemote(actor, this.#entered(body.s3), deleteOld)
          : this.#plans.toLocal(actor, deleteOld),
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
    this.#saver.close();
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
        this.#stored.type === 'local' ? undefined : this.#access.open(this.#enteredConfig(undefined)),
      );
    } catch (error) {
      this.#used.followFault(toFault(error));
    }
  }

  /** Uses the configured object storage, or bridges the time until it works. */
  async #startRemote(): Promise<void> {
    try {
      const config = this.#enteredConfig(undefined);
      await this.#access.probe(config, startProbeMs);
      await this.#used.useRemote(this.#access.open(config), async () => {});
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
    if (this.#stored.s3 !== null && hasOtherTarget(this.#stored.s3, next))
      requireConfirmed(actor, unixSeconds(this.#parts.clock));
    if (this.#stored.type === 'local') {
      await this.#save(actor, { s3: isEmpty(next) ? null : next });
      return;
    }
    const config = this.#access.parse(next);
    const before = this.#stored.s3;
    if (before !== null && next.bucket !== before.bucket)
      throw apiError('storage.migrationRequired', { field: 's3.bucket' });
    if (before !== null && trimSlashes(next.prefix) !== trimSlashes(before.prefix))
      throw apiError('storage.migrationRequired', { field: 's3.prefix' });
    await this.#access.probe(config, probeMs);
    await this.#used.useRemote(this.#access.open(config), () => this.#save(actor, { s3: next }));
  }

  /** `#stored` follows the commit. */
  #save(actor: Actor, fields: Partial<StoredStorage>): Promise<void> {
    return this.#saver.save(actor, this.#stored.type, fields);
  }

  /** Local files are missing on other nodes. @throws ApiError `storage.otherNodes` */
  async #requireOnlyNode(): Promise<void> {
    const node = await this.#parts.findOtherNode();
    if (node !== undefined) throw apiError('storage.otherNodes', { node });
  }

  /** The configuration that a request carries, or else the stored one. */
  #enteredConfig(update: S3Update | undefined): S3Config {
    return this.#access.parse(this.#entered(update));
  }

  #entered(update: S3Update | undefined): StoredS3 {
    if (update !== undefined) return entered(update, { ...this.#parts, stored: this.#stored.s3 });
    if (this.#stored.s3 === null) throw invalid('s3', 'is required, because no configuration is stored');
    return this.#stored.s3;
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
