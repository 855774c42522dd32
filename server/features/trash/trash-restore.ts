import { apiError } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { Change } from '../../changes/changes.ts';
import { decide } from '../../content/kinds/decide.ts';
import type { Kind, ObjectKey, ObjectState } from '../../content/kinds/kind.ts';
import { recordObject, requireObject } from '../../content/kinds/objects.ts';
import type { RestoredName, RowEdits } from '../../content/kinds/trash/declaration.ts';
import * as store from '../../content/kinds/trash/entries.ts';
import { unpackText } from '../../content/kinds/trash/pack.ts';
import type { DiscardedObject } from '../../content/kinds/trash/put-away.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { deferReferences } from '../../db/schema.ts';
import { readRowsWith, StepUndoer } from '../../db/undo/step-undoer.ts';
import { parseSteps, type UndoStep } from '../../db/undo/steps.ts';
import { Renumbering } from './renumbering.ts';

export interface RestoreOptions {
  /** Takes the next free name where one is taken. */
  readonly rename?: boolean | undefined;
  /** Restores what the object was in, too. */
  readonly withParent?: boolean | undefined;
}

/** An object that is back. */
export interface RestoredObject extends ObjectKey {
  readonly title: string;
}

export interface RenamedObject extends ObjectKey {
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

export interface RenumberedObject {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** What a restore has done. */
export interface Restored {
  readonly restored: RestoredObject[];
  readonly renamed: RenamedObject[];
  readonly renumbered: RenumberedObject[];
}

/** Number of the objects in an entry besides its own, by kind. */
export function countObjects(
  kinds: KindsByName,
  { kind: own, counts }: Pick<store.TrashSummary, 'kind' | 'counts'>,
): Record<string, number> {
  // Type boundary: only `putAway` writes this JSON.
  const byTable = JSON.parse(counts) as Readonly<Record<string, number>>;
  const found = [...kinds.values()].flatMap(({ name, tables: [table = ''] }): [string, number][] => {
    const count = (byTable[table] ?? 0) - (name === own ? 1 : 0);
    return count > 0 ? [[name, count]] : [];
  });
  return Object.fromEntries(found);
}

/** Reads the object of an entry, and what is stored with it. */
export function readStored({ object }: Pick<store.TrashRow, 'object'>): DiscardedObject {
  // Type boundary: only `putAway` writes this JSON.
  return JSON.parse(unpackText(object)) as DiscardedObject;
}

/** One restore while its change runs, which must not share its transaction. */
export class TrashRestore {
  readonly #change: Change;
  readonly #kinds: KindsByName;
  readonly #options: RestoreOptions;
  readonly result: Restored = { restored: [], renamed: [], renumbered: [] };

  constructor(change: Change, kinds: KindsByName, options: RestoreOptions) {
    this.#change = change;
    this.#kinds = kinds;
    this.#options = options;
  }

  /**
   * Puts an object back with everything that was deleted with it.
   *
   * @throws ApiError `common.notFound`, 409 `trash.nameTaken`, `trash.parentDeleted`
   */
  async run(entryId: number): Promise<void> {
    const { tx, now } = this.#change;
    const entry = await store.findEntry(tx, entryId, now);
    const kind = this.#kinds.get(entry?.kind ?? '');
    if (entry === undefined || kind?.trash === undefined) throw apiError('common.notFound', {});
    const stored = readStored(entry);
    await this.#requireParent(kind, stored.state);
    const claim = (name: RestoredName) => this.#claim({ kind: kind.name, id: entry.object_id }, name);
    const edits = (await kind.trash.beforeRestore?.(this.#change, stored.state, { claim })) ?? {};
    deferReferences(tx);
    const id = await this.#undoSteps(entry, stored, edits);
    await kind.trash.afterRestore?.(this.#change, id);
    const state = await requireObject(kind, tx, id);
    // Who wrote its code had the right then.
    const deciding: Change = { ...this.#change, decision: 'publication' };
    const { name: kindName, rights } = kind;
    await decide(deciding, { name: kindName, rights }, { before: state, after: state, withInside: true });
    recordObject(this.#change, kind, 'created', state);
    this.#change.journal?.add(kind.name, undefined, state);
    const { name, slug, path } = kind.namesOf(state);
    this.result.restored.push({ kind: kind.name, id: state.id, title: name || slug || path || '' });
    await this.#change.writeUnversioned(() => store.removeEntry(tx, entry.id));
  }

  /** @throws ApiError 409 `trash.parentDeleted` unless the parent is there or may come back, too */
  async #requireParent(kind: Kind, state: ObjectState): Promise<void> {
    const parent = kind.trash?.parentOf?.(state);
    if (parent === undefined) return;
    const { tx, now } = this.#change;
    if ((await this.#kinds.get(parent.kind)?.find(tx, parent.id)) !== undefined) return;
    const entry =
      (await store.findNewestEntry(tx, parent, now)) ??
      (parent.kind === 'page' ? await store.findEntryWithPage(tx, parent.id, now) : undefined);
    if (entry === undefined && kind.trash?.survivesParent === true) return;
    if (entry !== undefined && this.#options.withParent === true) {
      await this.run(entry.id);
      return;
    }
    const { kind: parentKind, id } = parent;
    const title = entry?.title ?? '';
    throw apiError('trash.parentDeleted', { kind: parentKind, id, title, trash_id: entry?.id ?? null });
  }

  async #claim(object: ObjectKey, { what, name, findHolder, next }: RestoredName): Promise<string> {
    const holder = await findHolder(name);
    if (holder === undefined) return name;
    if (next === undefined || this.#options.rename !== true) {
      const named = { ...holder, title: await this.#titleOf(holder) };
      throw apiError('trash.nameTaken', { holder: named, name, what });
    }
    for (let number = 2; ; number++) {
      const other = next(number);
      if ((await findHolder(other)) !== undefined) continue;
      this.result.renamed.push({ ...object, what, from: name, to: other });
      return other;
    }
  }

  async #titleOf({ kind: name, id }: ObjectKey): Promise<string> {
    const kind = this.#kinds.get(name);
    const state = await kind?.find(this.#change.tx, id);
    if (kind === undefined || state === undefined) return '';
    const names = kind.namesOf(state);
    return names.name || names.slug || names.path || '';
  }

  /**
   * Undoes the deletion, the last step first.
   *
   * @returns the ID that the object has now
   */
  async #undoSteps(entry: store.TrashRow, stored: DiscardedObject, edits: RowEdits): Promise<number> {
    const { tx } = this.#change;
    const kind = this.#kinds.get(entry.kind);
    const deleted = await this.#readDeletedIds(entry, stored);
    const renumbering = new Renumbering(tx, this.#kinds, deleted);
    const undoer = new StepUndoer(tx, renumbering.expect(deleted));
    const isChanged = this.#changedLists(stored, kind);
    await this.#visitSteps(entry, stored, (step) => {
      const edited = editStep(step, edits);
      if (edited !== undefined && !isChanged(edited)) undoer.undo(renumbering.apply(edited));
    });
    await renumbering.follow(deleted, undoer);
    this.result.renumbered.push(...renumbering.list());
    return renumbering.idOf(kind, entry.object_id);
  }

  async #readDeletedIds(entry: store.TrashRow, stored: DiscardedObject): Promise<Map<string, Set<number>>> {
    const ids = new Map<string, Set<number>>();
    await this.#visitSteps(entry, stored, ({ table, before, after }) => {
      if (after !== undefined || typeof before?.['id'] !== 'number') return;
      const ofTable = ids.get(table) ?? new Set();
      ids.set(table, ofTable.add(before['id']));
    });
    return ids;
  }

  /** Visits the steps of a deletion, the last one first. */
  async #visitSteps(
    { id }: store.TrashRow,
    stored: DiscardedObject,
    visit: (step: UndoStep) => void,
  ): Promise<void> {
    const { tx } = this.#change;
    const columns = new Map(Object.entries(stored.columns));
    const slices = new TimeSlices();
    for (let part = (await store.countParts(tx, id)) - 1; part >= 0; part--) {
      const text = unpackText((await store.findSteps(tx, id, part)) ?? '=[]');
      for (const step of parseSteps(columns, text).reverse()) {
        visit(step);
        await slices.next();
      }
    }
  }

  /** Whether a step belongs to a list of another object that was changed since. */
  #changedLists({ lists }: DiscardedObject, kind: Kind | undefined): (step: UndoStep) => boolean {
    const changed = new Map<string, boolean>();
    const { tx } = this.#change;
    return ({ table, before }) => {
      const owner = Object.entries(kind?.trash?.lists ?? {}).find(([name]) => name === table)?.[1];
      if (owner === undefined || before === undefined) return false;
      const id = String(before[owner]);
      const key = `${table} ${id}`;
      const known = changed.get(key);
      if (known !== undefined) return known;
      const left = lists[table]?.[id] ?? [];
      const isChanged =
        JSON.stringify(left) !== JSON.stringify(readRowsWith(tx, table, owner, before[owner]));
      changed.set(key, isChanged);
      return isChanged;
    };
  }
}

function editStep(step: UndoStep, edits: RowEdits): UndoStep | undefined {
  const edit = Object.entries(edits).find(([table]) => table === step.table)?.[1];
  if (edit === undefined) return step;
  const { table, before, after } = step;
  const [edited, editedAfter] = [before, after].map((row) => (row === undefined ? undefined : edit(row)));
  if (before !== undefined && edited === undefined) return undefined;
  return {
    table,
    ...(edited === undefined ? {} : { before: edited }),
    ...(editedAfter === undefined ? {} : { after: editedAfter }),
  };
}
