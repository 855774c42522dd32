/** Who has which object open. It locks nothing and is no content; it is kept for a minute. */
import { type Actor, formatAuthor } from '../../base/actor.ts';
import { findReadLimits } from '../../base/content-overlay.ts';
import { apiError } from '../../base/errors.ts';
import { Mutex } from '../../base/mutex.ts';
import type { StartTimer } from '../../base/timers.ts';
import type { Follower } from '../../changes/followers.ts';
import { listReadable } from '../../content/kinds/readable.ts';
import { requireChangeableKind } from '../../content/kinds/registry.ts';
import type { ActivityDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import type { Presence, PresenceEvent, PresenceQuery, PresenceReport } from './model.ts';
import * as store from './store.ts';

/** How long a report is valid, in milliseconds. */
const validMs = 60_000;
/** Objects that one name may have open; the oldest report is forgotten beyond. */
const maxOfName = 100;

type PresenceDeps = Pick<SharedServices, 'activity' | 'clock' | 'log' | 'nodeState' | 'reader' | 'registry'>;

/** Tells listeners who comes, changes state and leaves, on every node. */
export class PresenceService implements Follower {
  readonly of = ['presence'] as const;
  readonly #deps: PresenceDeps;
  readonly #later: StartTimer;
  readonly #listeners = new Set<(event: PresenceEvent) => void>();
  /** What listeners have heard last, by object and name. */
  #told: ReadonlyMap<string, Presence> = new Map();
  readonly #mutex = new Mutex();
  #cancelTimer: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: PresenceDeps, later: StartTimer) {
    this.#deps = deps;
    this.#later = later;
  }

  /** PUT /presence. @throws ApiError `batch.kindUnknown`, 404 `common.notFound` */
  async report(actor: Actor, { kind, id, state }: PresenceReport): Promise<Presence> {
    await this.#requireObject(kind, id);
    const name = formatAuthor(actor);
    const now = this.#deps.clock();
    await this.#deps.activity.write(async (db) => {
      await store.removeUntil(db, now - validMs);
      await store.saveRow(db, { name, kind, object_id: id, state, heard_at: now });
      await store.removeBeyond(db, name, maxOfName);
    });
    await this.refresh();
    return { kind, id, name, state, at: Math.floor(now / 1000) };
  }

  /** DELETE /presence: leaves one object, or all. @throws ApiError `batch.kindUnknown`, `common.invalid` */
  async leave(actor: Actor, { kind, id }: PresenceQuery): Promise<void> {
    this.#requireKind(kind);
    const name = formatAuthor(actor);
    await this.#deps.activity.write(async (db) => {
      for (const row of await store.listRows(db))
        if (row.name === name && isOf(row, kind, id))
          await store.removeRow(db, name, row.kind, row.object_id);
    });
    await this.refresh();
  }

  /** GET /presence for a caller. @throws ApiError `batch.kindUnknown` */
  async listFor({ grants }: Actor, query: PresenceQuery): Promise<readonly Presence[]> {
    return listReadable(this.#deps.reader, grants, findReadLimits(), await this.list(query));
  }

  /** GET /presence, by object and name. @throws ApiError `batch.kindUnknown` */
  async list({ kind, id }: PresenceQuery): Promise<Presence[]> {
    this.#requireKind(kind);
    const { activity, nodeState } = this.#deps;
    // In the common order of writes, so that a node knows what others have answered already.
    const read = (db: ActivityDb) => store.listRows(db);
    const rows = nodeState === undefined ? await read(activity.reader) : await activity.write(read);
    return rows.filter((row) => this.#isValid(row) && isOf(row, kind, id)).map(toPresence);
  }

  /** Calls `tell` with each change from now on. @returns what ends that */
  listen(tell: (event: PresenceEvent) => void): () => void {
    this.#listeners.add(tell);
    return () => this.#listeners.delete(tell);
  }

  /** Tells listeners what has changed since the last call, and plans the next look for what will be forgotten. */
  refresh(): Promise<void> {
    return this.#mutex.run(async () => {
      if (this.#isClosed) return;
      const rows = (await store.listRows(this.#deps.activity.reader)).filter((row) => this.#isValid(row));
      const before = this.#told;
      this.#told = new Map(rows.map((row) => [keyOf(row), toPresence(row)]));
      for (const [key, presence] of this.#told)
        if (before.get(key)?.state !== presence.state) this.#tell(presence);
      const at = Math.floor(this.#deps.clock() / 1000);
      for (const [key, presence] of before)
        if (!this.#told.has(key)) this.#tell({ ...presence, state: 'left', at });
      this.#planLook(rows);
    });
  }

  /** Ends the look for what will be forgotten. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#mutex.run(async () => this.#cancelTimer());
  }

  #tell(event: PresenceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #planLook(rows: readonly store.PresenceRow[]): void {
    this.#cancelTimer();
    this.#cancelTimer = () => undefined;
    if (rows.length === 0) return;
    const oldest = Math.min(...rows.map(({ heard_at }) => heard_at));
    const waitMs = Math.min(Math.max(oldest + validMs - this.#deps.clock(), 1), validMs);
    this.#cancelTimer = this.#later(waitMs, () => {
      this.refresh().catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'who has left could not be read');
      });
    });
  }

  #isValid({ heard_at }: store.PresenceRow): boolean {
    return heard_at + validMs > this.#deps.clock();
  }

  #requireKind(name: string | undefined): void {
    if (name !== undefined) requireChangeableKind(this.#deps.registry.byName, name);
  }

  async #requireObject(name: string, id: number): Promise<void> {
    const kind = requireChangeableKind(this.#deps.registry.byName, name);
    if ((await kind.find(this.#deps.reader, id)) === undefined) throw apiError('common.notFound', {});
  }
}

function isOf(row: store.PresenceRow, kind = row.kind, id = row.object_id): boolean {
  return row.kind === kind && row.object_id === id;
}

function keyOf({ kind, object_id, name }: store.PresenceRow): string {
  return `${kind} ${object_id} ${name}`;
}

function toPresence({ kind, object_id: id, name, state, heard_at }: store.PresenceRow): Presence {
  return { kind, id, name, state, at: Math.floor(heard_at / 1000) };
}
