import type { Actor } from '../../base/actor.ts';
import { unixSeconds } from '../../base/clock.ts';
import { apiError } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import { presentObject } from '../../content/kinds/objects.ts';
import { listReadable } from '../../content/kinds/readable.ts';
import * as store from '../../content/kinds/trash/entries.ts';
import { readDropped, trashSettings } from '../../content/kinds/trash/settings.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { limitReads } from '../../db/readable-rows.ts';
import type { SharedServices } from '../../feature.ts';
import { decideForgetting, forgetEntry } from './forget.ts';
import type { RestoreResult, TrashEntry, TrashQuery } from './model.ts';
import { countObjects, type RestoreOptions, readStored, TrashRestore } from './trash-restore.ts';

type TrashParts = Pick<SharedServices, 'reader' | 'snapshots' | 'changes' | 'registry' | 'clock'>;

/** Entries that one change forgets, so that other changes have their turn in between. */
const perChange = 50;

interface FoundEntries {
  readonly entries: readonly TrashEntry[];
  readonly count: number;
}

/** Carries the result of a dry run out of its change, which it undoes. */
class DryRun extends Error {
  readonly result: RestoreResult;

  constructor(result: RestoreResult) {
    super('a dry run changes nothing');
    this.result = result;
  }
}

/** Deleted objects (Beyond, "Trash"). */
export class Trash {
  readonly #parts: TrashParts;

  constructor(parts: TrashParts) {
    this.#parts = parts;
  }

  /** GET /trash: the entries, and the number of all that fit. */
  list(
    actor: Actor,
    { kind = '', q = '', limit = Number.POSITIVE_INFINITY, offset = 0 }: TrashQuery,
  ): Promise<FoundEntries> {
    const now = this.#now();
    const text = q.toLowerCase();
    return this.#parts.snapshots.read(async (db) => {
      const entries: TrashEntry[] = [];
      let count = 0;
      for await (const slice of store.listEntries(db, kind, now))
        for (const entry of slice)
          if (
            `${entry.title}\n${entry.path}`.toLowerCase().includes(text) &&
            (await this.#mayRead(actor, entry.id))
          ) {
            count += 1;
            if (count > offset && entries.length < limit) entries.push(this.#present(entry));
          }
      return { entries, count };
    });
  }

  /** GET /trash/{id}: the object as its GET. @throws ApiError `common.notFound` */
  async get(actor: Actor, id: number): Promise<unknown> {
    const { reader } = this.#parts;
    const entry = await store.findEntry(reader, id, this.#now());
    const kind = this.#kinds.get(entry?.kind ?? '');
    if (entry === undefined || kind === undefined || !(await this.#mayRead(actor, id)))
      throw apiError('common.notFound', {});
    const { state } = readStored(entry);
    const shown = kind.trash?.redactFor?.(actor, state) ?? state;
    const present = kind.trash?.present;
    return present === undefined ? presentObject(kind, shown) : present(reader, shown, countsIn(entry));
  }

  /**
   * POST /trash/{id}/restore
   *
   * @throws ApiError `common.notFound`, 409 `trash.nameTaken`, `trash.parentDeleted`
   */
  async restore(
    actor: Actor,
    id: number,
    { isDry, ...options }: RestoreOptions & { readonly isDry: boolean },
  ): Promise<RestoreResult> {
    try {
      // Alone, because references are checked at the end of its transaction.
      return await this.#parts.changes.changeInOwnTransaction(actor, async (change) => {
        const restore = new TrashRestore(change, this.#kinds, options);
        await restore.run(id);
        const result = { dry_run: isDry, ...restore.result };
        if (isDry) throw new DryRun(result);
        return result;
      });
    } catch (error) {
      if (error instanceof DryRun) return error.result;
      throw error;
    }
  }

  /** DELETE /trash/{id}. @throws ApiError `common.notFound` */
  forget(actor: Actor, id: number): Promise<void> {
    return this.#parts.changes.change(actor, async (change) => {
      if ((await store.findEntry(change.tx, id, change.now)) === undefined)
        throw apiError('common.notFound', {});
      await forgetEntry(change, this.#kinds, id);
    });
  }

  /** DELETE /trash: everything that is there now. */
  async empty(actor: Actor): Promise<void> {
    const { reader } = this.#parts;
    const newest = await store.findNewestId(reader);
    if (actor.grants !== undefined) await this.#requireAllForgettable(actor);
    await this.#forgetWhile(actor, async ({ tx }) =>
      (await store.listOldest(tx, perChange)).filter(({ id }) => id <= newest),
    );
  }

  /** @throws ApiError before anything is forgotten, if the caller may not delete one of the objects */
  async #requireAllForgettable(actor: Actor): Promise<void> {
    const { reader: tx } = this.#parts;
    for (const { id } of await store.listOldest(tx, Number.MAX_SAFE_INTEGER)) {
      const entry = await store.findEntry(tx, id, 0);
      const kind = this.#kinds.get(entry?.kind ?? '');
      if (entry !== undefined && kind !== undefined)
        await decideForgetting({ tx, actor, markDecided: () => {} }, kind, entry);
    }
  }

  /** Forgets what has expired, and the oldest entries as long as the trash is too full. */
  async sweep(): Promise<void> {
    await this.#forgetWhile({ kind: 'none' }, ({ tx, now }) => store.listExpired(tx, now, perChange));
    await this.#forgetWhile({ kind: 'none' }, (change) => this.#listSurplus(change));
  }

  /** Whether a sweep has something to do. */
  async isSweepDue(): Promise<boolean> {
    const { reader } = this.#parts;
    const { max_mb: maxMb } = await trashSettings.read(reader);
    if ((await store.sumBytes(reader)) > maxMb * 2 ** 20) return true;
    return (await store.listExpired(reader, this.#now(), 1)).length > 0;
  }

  /** Whether a caller might read what an entry keeps, when it was there. */
  async #mayRead({ grants }: Actor, id: number): Promise<boolean> {
    const limits = grants && limitReads(grants);
    if (limits === undefined) return true;
    const { reader } = this.#parts;
    const entry = await store.findEntry(reader, id, this.#now());
    if (entry === undefined) return false;
    const { kind, object_id } = entry;
    const known = { ...readStored(entry).state, kind, id: object_id };
    return (await listReadable(reader, grants, limits, [known])).length > 0;
  }

  async #listSurplus({ tx, now }: Change): Promise<readonly store.TrashSummary[]> {
    const settings = await trashSettings.read(tx);
    let surplus = (await store.sumBytes(tx)) - settings.max_mb * 2 ** 20;
    const gone: store.TrashSummary[] = [];
    for (const entry of surplus > 0 ? await store.listOldest(tx, perChange) : []) {
      if (surplus <= 0) break;
      surplus -= entry.bytes;
      gone.push(entry);
    }
    if (gone.length === 0) return gone;
    const before = (await readDropped(tx, now)) ?? { count: 0, bytes: 0 };
    const count = before.count + gone.length;
    const bytes = gone.reduce((sum, entry) => sum + entry.bytes, before.bytes);
    await trashSettings.save(tx, { ...settings, dropped: { count, bytes, at: now } });
    return gone;
  }

  async #forgetWhile(
    actor: Actor,
    listNext: (change: Change) => Promise<readonly store.TrashSummary[]>,
  ): Promise<void> {
    for (let count = 1; count > 0; )
      count = await this.#parts.changes.change(actor, async (change) => {
        const entries = await listNext(change);
        for (const { id } of entries) await forgetEntry(change, this.#kinds, id);
        return entries.length;
      });
  }

  #present(entry: store.TrashSummary): TrashEntry {
    const { counts: _counts, ...shown } = entry;
    return { ...shown, contains: countObjects(this.#kinds, entry) };
  }

  get #kinds(): KindsByName {
    return this.#parts.registry.byName;
  }

  #now(): number {
    return unixSeconds(this.#parts.clock);
  }
}

function countsIn({ counts }: Pick<store.TrashSummary, 'counts'>): Readonly<Record<string, number>> {
  // Type boundary: only `putAway` writes this JSON.
  return JSON.parse(counts) as Readonly<Record<string, number>>;
}
