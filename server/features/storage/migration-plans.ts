import type { Actor } from '../../base/actor.ts';
import { apiError } from '../../base/errors.ts';
import type { DiskCache } from '../../storage/disk-cache.ts';
import type { LocalStorage } from '../../storage/local.ts';
import type { Staging } from '../../storage/staging.ts';
import type { StoredS3, StoredStorage } from '../../storage/store.ts';
import type { UsedStorage } from '../../storage/used-storage.ts';
import type { MigrationPlan } from './migration.ts';
import type { RemoteAccess } from './remote-access.ts';

interface MigrationPlansDeps {
  readonly local: LocalStorage;
  readonly staging: Staging;
  readonly cache: DiskCache;
  readonly used: UsedStorage;
  readonly access: RemoteAccess;
  /** How long a test of object storage may take, in milliseconds. */
  readonly probeMs: number;
  /** How often other nodes have stored or deleted media. */
  countMediaOfOthers(): number;
  /** @throws ApiError `storage.otherNodes` */
  requireOnlyNode(): Promise<void>;
  /** See `StorageSaver.saveType`. */
  saveType(
    actor: Actor,
    fields: Pick<StoredStorage, 'type'> & Partial<StoredStorage>,
    check: () => Promise<void>,
  ): Promise<void>;
}

/** What a migration does in each direction. */
export class MigrationPlans {
  readonly #deps: MigrationPlansDeps;

  constructor(deps: MigrationPlansDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError of settings that cannot be used */
  toRemote(actor: Actor, s3: StoredS3, deleteOld: boolean): MigrationPlan {
    const { local, used, access, probeMs, saveType } = this.#deps;
    const config = access.parse(s3);
    const remote = access.open(config);
    const ended = new AbortController();
    return {
      from: local,
      to: access.open(config, ended.signal).objects,
      next: used.cached(remote),
      deleteOld,
      check: () => access.probe(config, probeMs),
      save: async () => {
        await used.carryOutage(remote, () => saveType(actor, { type: 's3', s3 }, async () => {}));
        used.exchanged(remote);
      },
      abort: () => ended.abort(),
    };
  }

  /** @throws ApiError if no object storage is in use */
  toLocal(actor: Actor, deleteOld: boolean): MigrationPlan {
    const { local, staging, cache, used, access, saveType, countMediaOfOthers, requireOnlyNode } = this.#deps;
    const { remote, fault } = used;
    if (remote === undefined) throw fault ?? apiError('storage.sameTarget', { target: 'local' });
    const ended = new AbortController();
    const before = countMediaOfOthers();
    return {
      from: access.open(remote.config, ended.signal).objects,
      to: local,
      next: local,
      deleteOld,
      check: async () => (await staging.create()).discard(),
      save: async () => {
        await saveType(actor, { type: 'local' }, async () => {
          await requireOnlyNode();
          if (countMediaOfOthers() !== before)
            throw apiError('storage.otherNodes', { node: 'one that has stored media meanwhile' });
        });
        used.exchanged(undefined);
        cache.clear();
      },
      abort: () => ended.abort(),
    };
  }
}
