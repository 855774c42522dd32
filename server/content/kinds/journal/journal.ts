/** What change sets, batches and imports have done to objects, so that it can be reverted. */
import { TimeSlices } from '../../../base/timers.ts';
import type { Change, ObjectJournal } from '../../../changes/change.ts';
import type { ContentDb } from '../../../db/tables.ts';
import {
  type ChangedCell,
  endSideLog,
  noSideEffects,
  readSideEffects,
  type SideEffects,
  startSideLog,
} from '../../../db/undo/side-effects.ts';
import type { UndoStep } from '../../../db/undo/steps.ts';
import type { Kind, ObjectKey, ObjectState } from '../kind.ts';
import { type FieldValues, findChanges, readFields } from '../object-fields.ts';
import { findNewestEntry } from '../trash/entries.ts';
import { packText, unpackText } from '../trash/pack.ts';
import type { KindsByName } from '../usage.ts';
import * as store from './store.ts';

/** How long journals are kept, in seconds, and how many objects one of them may have. */
export const journalLimits = { seconds: 30 * 86_400, objects: 1_000 } as const;

/** What has done it. */
export interface JournalKey {
  readonly source: 'change_set' | 'batch' | 'import' | 'author';
  readonly key: string;
}

/** What was done to one object. */
export interface JournalObject extends ObjectKey {
  readonly title: string;
  readonly op: 'create' | 'update' | 'delete';
  /** The changed fields, by the names that change sets have for them; `parent_id` if it was moved below another page. */
  readonly before: FieldValues;
  readonly after: FieldValues;
  /** Of a deleted object: its entry in the trash. */
  readonly trashId: number | null;
}

export interface StoredJournal extends Pick<store.JournalRow, 'id' | 'at' | 'objects' | 'reverted_by'> {
  readonly effects: SideEffects;
  readonly list: readonly JournalObject[];
}

interface ChangedObject {
  readonly kind: string;
  readonly id: number;
  readonly before: object | undefined;
  readonly after: object | undefined;
}

/** The objects that a change has changed so far; of too many only their number. */
class Journal implements ObjectJournal {
  readonly #objects = new Map<string, ChangedObject>();

  add(kind: string, before: { readonly id: number } | undefined, after: { readonly id: number } | undefined) {
    const id = (after ?? before)?.id ?? 0;
    const key = `${kind}:${id}`;
    const known = this.#objects.get(key);
    // Of too many none is stored.
    if (this.#objects.size > journalLimits.objects)
      this.#objects.set(key, { kind, id, before: {}, after: {} });
    else this.#objects.set(key, { kind, id, before: known === undefined ? before : known.before, after });
  }

  /** Adds what a part of the change has done. */
  adopt(part: Journal): void {
    for (const { kind, id, before, after } of part.list()) {
      const key = `${kind}:${id}`;
      const known = this.#objects.get(key);
      this.#objects.set(key, { kind, id, before: known === undefined ? before : known.before, after });
    }
  }

  /** What is not as it was. */
  list(): ChangedObject[] {
    return [...this.#objects.values()].filter(
      ({ before, after }) => before !== undefined || after !== undefined,
    );
  }
}

/**
 * Runs `work` and stores what it has done under a key, in the same change.
 *
 * @throws the error of `work`
 */
export async function keepJournal<T>(
  change: Change,
  kinds: KindsByName,
  of: JournalKey,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const journal = new Journal();
  await change.writeUnversioned(async () => startSideLog(change.tx));
  const result = await work(withJournal(change, journal));
  await change.writeUnversioned(async () => {
    endSideLog(change.tx);
    const effects = readSideEffects(change.tx);
    await saveJournal(change, kinds, of, { objects: journal.list(), effects });
  });
  return result;
}

/** The journal of a key; undefined if there is none, or no more. */
export async function findJournal(
  db: ContentDb,
  { source, key }: JournalKey,
): Promise<StoredJournal | undefined> {
  const row = await store.findJournal(db, source, key);
  if (row === undefined) return undefined;
  const { id, at, objects, reverted_by, effects } = row;
  const rows = await store.listObjects(db, id);
  return { id, at, objects, reverted_by, effects: parseEffects(effects), list: rows.map(parseObject) };
}

/** Notes which change set has reverted what a journal tells. */
export async function markReverted(db: ContentDb, { id }: StoredJournal, setId: number): Promise<void> {
  await store.setRevertedBy(db, id, setId);
}

/** Stores that something without a journal of its own was reverted, such as the work of an author. */
export async function saveReverted(change: Change, of: JournalKey, setId: number): Promise<void> {
  const row = { ...of, at: change.now, objects: 0, reverted_by: setId };
  await store.insertJournal(change.tx, { ...row, effects: packText(JSON.stringify(noSideEffects)) });
}

/** The same change, which takes note of what it does to objects. */
function withJournal(change: Change, journal: Journal): Change {
  return {
    ...change,
    journal,
    attempt: async (work, decision) => {
      const part = new Journal();
      const result = await change.attempt((inner) => work(withJournal(inner, part)), decision);
      journal.adopt(part);
      return result;
    },
  };
}

interface DoneWork {
  readonly objects: readonly ChangedObject[];
  readonly effects: SideEffects;
}

/** Work of several changes has one journal, such as an import. */
async function saveJournal(
  { tx, now }: Change,
  kinds: KindsByName,
  { source, key }: JournalKey,
  { objects, effects }: DoneWork,
): Promise<void> {
  await store.deleteJournalsBefore(tx, now - journalLimits.seconds);
  const found = await store.findJournal(tx, source, key);
  const known = source === 'import' ? found : undefined;
  if (known === undefined && found !== undefined) await store.deleteJournal(tx, found.id);
  const count = (known?.objects ?? 0) + objects.length;
  const isKept = count <= journalLimits.objects;
  const packed = packEffects(
    isKept ? joinEffects(known && parseEffects(known.effects), effects) : noSideEffects,
  );
  const id =
    known?.id ??
    (await store.insertJournal(tx, {
      source,
      key,
      at: now,
      objects: count,
      reverted_by: null,
      effects: packed,
    }));
  if (known !== undefined) await store.updateJournal(tx, id, count, packed);
  if (!isKept) {
    await store.deleteObjects(tx, id);
    return;
  }
  const slices = new TimeSlices();
  for (const [index, object] of objects.entries()) {
    const kind = kinds.get(object.kind);
    if (kind === undefined) continue;
    const row = await toRow(tx, kind, object, now);
    await store.insertObject(tx, { journal_id: id, position: (known?.objects ?? 0) + index, ...row });
    await slices.next();
  }
}

async function toRow(
  db: ContentDb,
  kind: Kind,
  { id, before, after }: ChangedObject,
  now: number,
): Promise<Omit<store.JournalObjectRow, 'journal_id' | 'position'>> {
  // Type boundary: the states are those that the kind itself has given.
  const [from, to] = [before, after].map((state) => listValues(kind, state as ObjectState | undefined));
  const shown = (after ?? before) as ObjectState;
  const { name = '', path = '', slug = '' } = kind.namesOf(shown);
  const common = { kind: kind.name, object_id: id, title: name || path || slug };
  if (before === undefined || after === undefined) {
    const op = before === undefined ? 'create' : 'delete';
    const entry = op === 'delete' ? await findNewestEntry(db, { kind: kind.name, id }, now) : undefined;
    return { ...common, op, fields: packFields({}, {}), trash_id: entry?.id ?? null };
  }
  const changed = findChanges(from ?? {}, to ?? {});
  const old = Object.fromEntries(Object.keys(changed).map((name) => [name, from?.[name] ?? null]));
  return { ...common, op: 'update', fields: packFields(old, changed), trash_id: null };
}

function listValues(kind: Kind, state: ObjectState | undefined): FieldValues {
  const parentId: unknown = Reflect.get(state ?? {}, 'parent_id');
  return { ...readFields(kind, state), ...(parentId === undefined ? {} : { parent_id: parentId }) };
}

function packFields(before: FieldValues, after: FieldValues): string {
  return packText(JSON.stringify([before, after]));
}

function parseObject(row: store.JournalObjectRow): JournalObject {
  // Type boundary: only `packFields` writes this JSON.
  const [before, after] = JSON.parse(unpackText(row.fields)) as [FieldValues, FieldValues];
  const { kind, object_id: id, title, trash_id: trashId } = row;
  // Type boundary: only `toRow` writes this column.
  return { ...{ kind, id, title, before, after, trashId }, op: row.op as JournalObject['op'] };
}

function packEffects(effects: SideEffects): string {
  return packText(JSON.stringify(effects));
}

function parseEffects(packed: string): SideEffects {
  // Type boundary: only `packEffects` writes this JSON.
  return JSON.parse(unpackText(packed)) as SideEffects;
}

/** The effects of work and of later work. */
function joinEffects(first: SideEffects = noSideEffects, later: SideEffects): SideEffects {
  const cells = new Map(first.cells.map((cell) => [keyOfCell(cell), cell]));
  for (const cell of later.cells)
    cells.set(keyOfCell(cell), { ...cell, before: (cells.get(keyOfCell(cell)) ?? cell).before });
  const rows = new Map(first.rows.map((row) => [keyOfRow(row), row]));
  for (const row of later.rows) {
    const { before } = rows.get(keyOfRow(row)) ?? row;
    const { before: _own, ...rest } = row;
    rows.set(keyOfRow(row), { ...rest, ...(before === undefined ? {} : { before }) });
  }
  return { cells: [...cells.values()], rows: [...rows.values()] };
}

function keyOfCell({ table, id, column }: ChangedCell): string {
  return `${table} ${id} ${column}`;
}

function keyOfRow({ table, before, after }: UndoStep): string {
  return `${table} ${String((after ?? before)?.['id'])}`;
}
