/**
 * Moves all media from one storage to another while the server runs (Data, Automation and Operations, "Media
 * storage"). What holds:
 *
 *  1. Until the end of `switch` the old storage is in use and complete. An error, a cancellation or the end of
 *     the process before it leaves everything as it was; objects that were copied already stay at the target,
 *     and the next migration does not copy them again.
 *  2. Writes meanwhile go to the old storage and are noted (`ActiveStorage`). Noted objects are carried over
 *     while new ones come in; in `switch` the writes wait until the few that are left are carried over too.
 *  3. `save` is called in `switch`, after the last object was carried over and before the first write to the
 *     target: a restart finds the storage that is complete.
 */
import { randomUUID } from 'node:crypto';
import { unixSeconds } from '../../base/clock.ts';
import { ApiError, apiError } from '../../base/errors.ts';
import { isDiskFull } from '../../base/file-system.ts';
import { isStorageFull } from '../../db/sqlite-errors.ts';
import type { SharedServices } from '../../feature.ts';
import type { ActiveStorage } from '../../storage/active.ts';
import { type CopyRoute, copyObject } from '../../storage/copy.ts';
import { inParallel } from '../../storage/in-parallel.ts';
import type { MediaKey } from '../../storage/media-key.ts';
import type { MigrationPhase, MigrationStatus } from '../../storage/model.ts';
import type { Staging } from '../../storage/staging.ts';
import type { ListedObject, MediaStorage, ObjectStore, StoredObject } from '../../storage/storage.ts';

export interface MigrationPlan {
  readonly from: ObjectStore;
  readonly to: ObjectStore;
  /** The target as the server uses it afterwards. */
  readonly next: MediaStorage;
  readonly deleteOld: boolean;
  /** Tests the target. @throws ApiError */
  check(): Promise<void>;
  /** Makes the target the configured storage. */
  save(): Promise<void>;
  /** Ends the requests of the migration that are under way. */
  abort(): void;
}

export interface MigrationParts extends Pick<SharedServices, 'clock' | 'log'> {
  readonly active: ActiveStorage;
  readonly staging: Staging;
}

/** With fewer noted objects than this, writes are made to wait for the rest. */
const fewObjects = 16;
/** How often noted objects are carried over before writes have to wait. */
const maxRounds = 20;

const idle: MigrationStatus = {
  status: 'idle',
  phase: '',
  from: '',
  to: '',
  delete_old: false,
  total_files: 0,
  total_bytes: 0,
  done_files: 0,
  done_bytes: 0,
  skipped_files: 0,
  verified_files: 0,
  changed_files: 0,
  deleted_files: 0,
  cleanup_errors: 0,
  started_at: 0,
};

/** The migration that runs, or the last one. */
export class Migration {
  readonly #parts: MigrationParts;
  #job: Job | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(parts: MigrationParts) {
    this.#parts = parts;
  }

  get status(): MigrationStatus {
    return this.#job?.status ?? idle;
  }

  get isRunning(): boolean {
    return this.status.status === 'running';
  }

  /** Resolves when the last job has ended; it may go on for a moment after it was canceled. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Starts a migration. @throws ApiError `storage.migrationRunning` */
  start(plan: MigrationPlan): void {
    if (this.isRunning) throw apiError('storage.migrationRunning', {});
    const job = new Job(plan, this.#parts);
    this.#job = job;
    this.#ended = this.#ended.then(() => job.run());
  }

  /** @throws ApiError `storage.migrationNotRunning`, `storage.migrationTooLate` */
  cancel(): void {
    if (this.#job === undefined || !this.isRunning) throw apiError('storage.migrationNotRunning', {});
    this.#job.cancel();
  }

  /** Ends a running migration; one that is in `switch` is finished. */
  async close(): Promise<void> {
    if (this.isRunning && this.#job?.isTooLate === false) this.#job.cancel();
    await this.ended;
  }
}

/** Ends a job; not an error of it. */
class CanceledError extends Error {}

type Counter =
  | `${'total' | 'done'}_${'files' | 'bytes'}`
  | `${'skipped' | 'verified' | 'deleted'}_files`
  | 'cleanup_errors';

class Job {
  readonly #plan: MigrationPlan;
  readonly #parts: MigrationParts;
  readonly #route: CopyRoute;
  readonly #changed = new Set<MediaKey>();
  #status: MigrationStatus;

  constructor(plan: MigrationPlan, parts: MigrationParts) {
    this.#plan = plan;
    this.#parts = parts;
    this.#route = { from: plan.from, to: plan.to, staging: parts.staging };
    this.#status = {
      ...idle,
      status: 'running',
      phase: 'check',
      from: plan.from.type,
      to: plan.to.type,
      delete_old: plan.deleteOld,
      started_at: unixSeconds(parts.clock),
    };
  }

  get status(): MigrationStatus {
    return this.#status;
  }

  get isTooLate(): boolean {
    return this.#status.phase === 'switch' || this.#status.phase === 'cleanup';
  }

  /** @throws ApiError `storage.migrationTooLate` */
  cancel(): void {
    if (this.isTooLate) throw apiError('storage.migrationTooLate', {});
    this.#set({ status: 'canceled' });
    this.#plan.abort();
  }

  /** Never rejects: the status tells how it went. */
  async run(): Promise<void> {
    const { active, log } = this.#parts;
    active.startRecording();
    try {
      this.#enter('check');
      await this.#plan.check();
      // Of a migration that a crash has interrupted.
      await this.#plan.to.removeUnfinished().catch(() => 0);
      const objects = await this.#scan();
      await this.#copy(objects);
      await this.#carryMost();
      await this.#verify(objects);
      this.#enter('switch');
      await active.exchange(this.#plan.next, async () => {
        await this.#carry(active.takeRecorded());
        await this.#plan.save();
      });
      if (this.#plan.deleteOld) await this.#cleanUp();
      this.#set({ status: 'done' });
    } catch (error) {
      if (error instanceof CanceledError || this.#status.status === 'canceled') return;
      const known = toApiError(error);
      if (known.code === 'common.internal')
        log.error({ err: error, id: known.params['id'] }, 'a migration failed');
      this.#set({
        status: 'failed',
        error: known.message,
        error_code: known.code,
        error_params: { ...known.params },
      });
    } finally {
      active.stopRecording();
    }
  }

  async #scan(): Promise<ListedObject[]> {
    this.#enter('scan');
    const objects: ListedObject[] = [];
    for await (const object of this.#plan.from.list()) {
      this.#goOn();
      objects.push(object);
      this.#add('total_files', 1);
      this.#add('total_bytes', object.size);
    }
    return objects;
  }

  async #copy(objects: readonly ListedObject[]): Promise<void> {
    this.#enter('copy');
    const there = await this.#listTarget();
    await inParallel(objects, async ({ key, size, modifiedAt }) => {
      this.#goOn();
      const found = there.get(key);
      if (found?.size === size && wholeSeconds(found) >= wholeSeconds({ modifiedAt }))
        this.#add('skipped_files', 1);
      // An object that is gone was deleted meanwhile, and noted.
      else await copyObject(this.#route, key);
      this.#add('done_files', 1);
      this.#add('done_bytes', size);
    });
  }

  async #verify(objects: readonly ListedObject[]): Promise<void> {
    this.#enter('verify');
    const there = await this.#listTarget();
    const noted = new Set(this.#parts.active.peekRecorded());
    for (const { key, size } of objects) {
      this.#goOn();
      if (this.#changed.has(key) || noted.has(key)) continue;
      const found = there.get(key);
      if (found?.size !== size)
        throw apiError('storage.checkFailed', {
          error: `${key} has ${found === undefined ? 'not arrived' : `${found.size} bytes instead of ${size}`}`,
        });
      this.#add('verified_files', 1);
    }
  }

  /** Carries over what was noted, until little is left. */
  async #carryMost(): Promise<void> {
    for (let round = 0; round < maxRounds; round++) {
      this.#goOn();
      if (this.#parts.active.peekRecorded().length < fewObjects) return;
      await this.#carry(this.#parts.active.takeRecorded());
    }
  }

  /** Makes objects at the target what they are in the old storage. */
  async #carry(keys: readonly MediaKey[]): Promise<void> {
    await inParallel(keys, async (key) => {
      const size = await copyObject(this.#route, key);
      if (size === undefined) await this.#plan.to.remove(key);
      this.#changed.add(key);
    });
    this.#set({ changed_files: this.#changed.size });
  }

  /** Deletes the old objects. What cannot be deleted is only counted, because nothing needs it any more. */
  async #cleanUp(): Promise<void> {
    this.#enter('cleanup');
    try {
      await inParallel(this.#plan.from.list(), async ({ key }) => {
        try {
          await this.#plan.from.remove(key);
          this.#add('deleted_files', 1);
        } catch {
          this.#add('cleanup_errors', 1);
        }
      });
    } catch {
      this.#add('cleanup_errors', 1);
    }
  }

  async #listTarget(): Promise<Map<MediaKey, StoredObject>> {
    const there = new Map<MediaKey, StoredObject>();
    for await (const { key, size, modifiedAt } of this.#plan.to.list()) {
      this.#goOn();
      there.set(key, { size, modifiedAt });
    }
    return there;
  }

  #enter(phase: MigrationPhase): void {
    this.#goOn();
    this.#set({ phase });
  }

  /** @throws CanceledError */
  #goOn(): void {
    if (this.#status.status === 'canceled') throw new CanceledError();
  }

  #add(counter: Counter, count: number): void {
    this.#set({ [counter]: this.#status[counter] + count });
  }

  #set(fields: Partial<MigrationStatus>): void {
    this.#status = { ...this.#status, ...fields };
  }
}

/** Object storage knows no smaller unit. */
function wholeSeconds({ modifiedAt }: Pick<StoredObject, 'modifiedAt'>): number {
  return Math.floor(modifiedAt / 1000);
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isStorageFull(error) || isDiskFull(error)) return apiError('common.storageFull', {});
  return apiError('common.internal', { id: randomUUID() }, { cause: error });
}
