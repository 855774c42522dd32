import { join } from 'node:path';
import type { Actor } from '../actor.ts';
import { ApiError, apiError, invalid } from '../errors.ts';
import type { Parts } from '../feature.ts';
import { ActiveStorage } from './active.ts';
import { CachedStorage } from './cached.ts';
import { DiskCache } from './disk-cache.ts';
import { LocalStorage } from './local.ts';
import { MediaCounter } from './media-count.ts';
import { Migration, type MigrationPlan } from './migration.ts';
import type {
  MigrationStart,
  MigrationStatus,
  S3Settings,
  S3Update,
  StorageCheck,
  StorageSettings,
  StorageUpdate,
} from './model.ts';
import { S3Client, type S3ClientOptions } from './s3/client.ts';
import { checkS3Config, type S3Config, type S3Fields } from './s3/config.ts';
import { S3Objects } from './s3/objects.ts';
import { probe } from './s3/probe.ts';
import { Staging } from './staging.ts';
import { readStorage, type StoredS3, type StoredStorage, saveStorage } from './store.ts';

export type StorageParts = Pick<
  Parts,
  'config' | 'reader' | 'changes' | 'secrets' | 'outgoing' | 'clock' | 'monotonic' | 'log'
>;

/** What `open` makes, for the constructor. */
interface OpenedParts {
  readonly local: LocalStorage;
  readonly staging: Staging;
  readonly cache: DiskCache;
  readonly stored: StoredStorage;
}

/** The object storage in use. */
interface RemoteStorage {
  readonly config: S3Config;
  readonly objects: S3Objects;
}

/** What the secret of the object storage is encrypted for. */
const secretPurpose = 'storage.s3';

/** A test answers within this time in milliseconds; somebody waits for it. */
const probeMs = 10_000;
/** The same at the start, which should not take long. */
const startProbeMs = 5_000;

/** Where media lie, and the settings about it (Data, Automation and Operations, "Media storage"). */
export class StorageService {
  /** The storage in use; it stays the same object when another storage is used. */
  readonly media: ActiveStorage;
  readonly staging: Staging;
  readonly #parts: StorageParts;
  readonly #local: LocalStorage;
  readonly #cache: DiskCache;
  readonly #counter: MediaCounter;
  readonly #migration: Migration;
  #stored: StoredStorage;
  #remote: RemoteStorage | undefined;
  /** Why the object storage could not be used at the start. */
  #fault: ApiError | undefined;
  /** The last of the changes of settings, which run one after the other. */
  #lastUpdate: Promise<unknown> = Promise.resolve();

  private constructor(parts: StorageParts, { local, staging, cache, stored }: OpenedParts) {
    this.#parts = parts;
    this.#local = local;
    this.staging = staging;
    this.#cache = cache;
    this.#stored = stored;
    this.media = new ActiveStorage(local);
    this.#counter = new MediaCounter(parts.monotonic);
    this.#migration = new Migration({ ...parts, active: this.media, staging });
  }

  /** Opens the configured storage; if it is object storage that does not work, local files are used. */
  static async open(parts: StorageParts): Promise<StorageService> {
    const { dataDir } = parts.config;
    const stored = await readStorage(parts.reader);
    const cacheBytes = bytesOfCache(stored, parts);
    const service = new StorageService(parts, {
      stored,
      local: await LocalStorage.open(join(dataDir, 'media')),
      staging: await Staging.open(join(dataDir, 'media-staging')),
      cache: await DiskCache.open(join(dataDir, 'media-cache'), cacheBytes),
    });
    if (stored.type === 's3') await service.#startRemote();
    return service;
  }

  /** GET /storage */
  async get(): Promise<StorageSettings> {
    const { config, secrets } = this.#parts;
    const { maxBytes, usedBytes, entries } = this.#cache.use;
    return {
      type: this.media.type,
      s3: this.#stored.s3 === null ? null : present(this.#stored.s3),
      cache_mb: this.#stored.cache_mb,
      cache: {
        enabled: this.media.type === 's3' && maxBytes > 0,
        max_bytes: maxBytes,
        used_bytes: usedBytes,
        entries,
        default_bytes: config.mediaCacheMb * mb,
      },
      media: await this.#counter.count(this.#remote?.objects ?? this.#local),
      migration: this.#migration.status,
      encryption: secrets.source,
      ...(this.#fault === undefined ? {} : { error: this.#fault.message, error_code: this.#fault.code }),
    };
  }

  /** PUT /storage. @throws ApiError `storage.migrationRunning`, `storage.migrationRequired`, those of a test */
  update(actor: Actor, body: StorageUpdate): Promise<void> {
    return this.#inTurn(async () => {
      if (body.s3 !== undefined) await this.#updateS3(actor, body.s3);
      if (body.cache_mb !== undefined) {
        await this.#save(actor, { ...this.#stored, cache_mb: body.cache_mb });
        this.#cache.resize(bytesOfCache(this.#stored, this.#parts));
      }
    });
  }

  /** POST /storage/check. @throws ApiError that tells what does not work */
  async check({ s3 }: StorageCheck): Promise<void> {
    await probe(this.#probeClient(this.#enteredConfig(s3), probeMs));
  }

  /** POST /storage/migrate. @throws ApiError `storage.migrationRunning`, `storage.sameTarget` and others */
  migrate(actor: Actor, body: MigrationStart): Promise<MigrationStatus> {
    return this.#inTurn(async () => {
      this.#refuseWhileMigrating();
      if (body.target === this.media.type) throw apiError('storage.sameTarget', { target: body.target });
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

  async close(): Promise<void> {
    await this.#migration.close();
    await this.#cache.close();
  }

  async #startRemote(): Promise<void> {
    try {
      const config = this.#enteredConfig(undefined);
      await probe(this.#probeClient(config, startProbeMs));
      this.#remote = this.#open(config);
      await this.media.exchange(new CachedStorage(this.#remote.objects, this.#cache), async () => {});
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#fault = error;
      this.#parts.log.error(
        { code: error.code, error: error.message },
        'object storage does not work, local files are used',
      );
    }
  }

  async #updateS3(actor: Actor, update: S3Update): Promise<void> {
    this.#refuseWhileMigrating();
    const next = this.#sealed(merge(update, this.#stored.s3 ?? emptyS3), this.#stored.s3);
    if (this.#stored.type === 'local') {
      const { path_style: _, ...texts } = next;
      const isEmpty = Object.values(texts).every((text) => text === '');
      await this.#save(actor, { ...this.#stored, s3: isEmpty ? null : next });
      return;
    }
    const config = this.#configOf(next);
    const before = this.#stored.s3;
    if (before !== null && next.bucket !== before.bucket)
      throw apiError('storage.migrationRequired', { field: 's3.bucket' });
    if (before !== null && trimSlashes(next.prefix) !== trimSlashes(before.prefix))
      throw apiError('storage.migrationRequired', { field: 's3.prefix' });
    await probe(this.#probeClient(config, probeMs));
    const remote = this.#open(config);
    await this.media.exchange(new CachedStorage(remote.objects, this.#cache), () =>
      this.#save(actor, { ...this.#stored, s3: next }),
    );
    this.#remote = remote;
    this.#fault = undefined;
  }

  #planToRemote(actor: Actor, entered: S3Update | undefined, deleteOld: boolean): MigrationPlan {
    const s3 = this.#entered(entered);
    const config = this.#configOf(s3);
    const remote = this.#open(config);
    const ended = new AbortController();
    return {
      from: this.#local,
      to: this.#open(config, ended.signal).objects,
      next: new CachedStorage(remote.objects, this.#cache),
      deleteOld,
      check: () => probe(this.#probeClient(config, probeMs)),
      save: async () => {
        await this.#switch(actor, { ...this.#stored, type: 's3', s3 });
        this.#remote = remote;
      },
      abort: () => ended.abort(),
    };
  }

  #planToLocal(actor: Actor, deleteOld: boolean): MigrationPlan {
    if (this.#remote === undefined) throw apiError('storage.sameTarget', { target: 'local' });
    const ended = new AbortController();
    return {
      from: this.#open(this.#remote.config, ended.signal).objects,
      to: this.#local,
      next: this.#local,
      deleteOld,
      check: async () => (await this.staging.create()).discard(),
      save: async () => {
        await this.#switch(actor, { ...this.#stored, type: 'local' });
        this.#remote = undefined;
        this.#cache.clear();
      },
      abort: () => ended.abort(),
    };
  }

  /** Saves another storage as a change of content, so that the page cache is purged. */
  async #switch(actor: Actor, stored: StoredStorage): Promise<void> {
    await this.#parts.changes.change(actor, ({ tx }) => saveStorage(tx, stored));
    this.#stored = stored;
    this.#fault = undefined;
  }

  async #save(actor: Actor, stored: StoredStorage): Promise<void> {
    await this.#parts.changes.administer(actor, ({ tx }) => saveStorage(tx, stored));
    this.#stored = stored;
  }

  /** @param signal ends all requests */
  #open(config: S3Config, signal?: AbortSignal): RemoteStorage {
    const client = new S3Client(config, { ...this.#parts, ...(signal === undefined ? {} : { signal }) });
    return { config, objects: new S3Objects(client, config.prefix) };
  }

  /** A client that gives up soon. */
  #probeClient(config: S3Config, totalMs: number): S3Client {
    const options: S3ClientOptions = {
      ...this.#parts,
      retriesMs: [],
      timeouts: { headersMs: totalMs, totalMs },
    };
    return new S3Client(config, options);
  }

  /** The configuration that a request carries, or else the stored one. */
  #enteredConfig(entered: S3Update | undefined): S3Config {
    return this.#configOf(this.#entered(entered));
  }

  #entered(entered: S3Update | undefined): StoredS3 {
    if (entered !== undefined) return this.#sealed(merge(entered, emptyS3), this.#stored.s3);
    if (this.#stored.s3 === null) throw invalid('s3', 'is required, because no configuration is stored');
    return this.#stored.s3;
  }

  #configOf({ secret, ...fields }: StoredS3): S3Config {
    const secretKey = secret === '' ? '' : this.#parts.secrets.open(secret, secretPurpose);
    return checkS3Config({ ...fields, secret_key: secretKey }, this.#parts.outgoing);
  }

  /** Encrypts the secret. Without one, the stored secret stays as long as the access key is the same. */
  #sealed({ secret_key, ...fields }: S3Fields, stored: StoredS3 | null): StoredS3 {
    const kept = stored?.access_key === fields.access_key ? stored.secret : '';
    return {
      ...fields,
      secret: secret_key === '' ? kept : this.#parts.secrets.seal(secret_key, secretPurpose),
    };
  }

  #refuseWhileMigrating(): void {
    if (this.#migration.isRunning) throw apiError('storage.migrationRunning', {});
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastUpdate.then(work);
    this.#lastUpdate = turn.catch(() => {});
    return turn;
  }
}

const mb = 2 ** 20;

function bytesOfCache({ cache_mb }: StoredStorage, { config }: StorageParts): number {
  return (cache_mb === 0 ? config.mediaCacheMb : cache_mb) * mb;
}

const emptyS3: StoredS3 = {
  endpoint: '',
  region: '',
  bucket: '',
  prefix: '',
  access_key: '',
  path_style: false,
  secret: '',
};

/** Entered fields over those of a configuration; the secret is never one of these. */
function merge(update: S3Update, { secret: _, ...fields }: StoredS3): S3Fields {
  const entered = Object.entries({ ...fields, secret_key: '', ...update });
  const trimmed = entered.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]);
  // Type boundary: the entries of an object that has all fields.
  return Object.fromEntries(trimmed) as S3Fields;
}

function present({ secret, ...fields }: StoredS3): S3Settings {
  return { ...fields, secret_set: secret !== '' };
}

function trimSlashes(prefix: string): string {
  return prefix.replace(/^\/+|\/+$/g, '');
}
