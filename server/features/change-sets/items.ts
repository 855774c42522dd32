/** The objects of a change set, between their rows and what the other files work with. */

import { createHash } from 'node:crypto';
import type { TextReport } from '../../changes/text-analysis.ts';
import type { ArrangingOp, Kind, ObjectState } from '../../content/kinds/kind.ts';
import { replaceReferences } from '../../content/kinds/references.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { ContentDb } from '../../db/tables.ts';
import { type FieldValues, readBodyFields } from './fields.ts';
import type { itemOps } from './model.ts';
import type { Save } from './saves.ts';
import * as store from './store.ts';

/** A move, a change of the language versions of an object, or new bytes for a file. */
export interface Arrangement {
  readonly op: ArrangingOp;
  readonly body: object;
}

/** What a change set does with one object. */
export interface SetItem {
  readonly kind: Kind;
  readonly id: number;
  /** The order in which the objects came in. */
  readonly position: number;
  readonly title: string;
  /** The object when it came in; undefined for one that the change set creates. */
  readonly base: ObjectState | undefined;
  /** The body that creates the object; undefined for one that exists. */
  readonly creation: object | undefined;
  readonly isDeleted: boolean;
  /** The changed fields with their values. */
  readonly fields: FieldValues;
  readonly arrangements: readonly Arrangement[];
  readonly authors: readonly string[];
  /** Of an object in a working copy: its saves, the oldest first. */
  readonly saves: readonly Save[];
  readonly updatedAt: number;
  /** Whether rules of fields do not refuse it. Only items that were loaded have it. */
  readonly takesAsIs?: boolean | undefined;
}

/** Whether a change set takes entries that break rules of their fields as they are: a push does, and warns. */
export function takesAsIs(set: Pick<store.ChangeSetRow, 'purpose'> | undefined): boolean {
  return set?.purpose === 'push';
}

/** The objects of a change set, in the order in which they came in. */
export async function loadItems(db: ContentDb, setId: number, kinds: KindsByName): Promise<SetItem[]> {
  const rows = await store.listItems(db, setId);
  const isLenient = takesAsIs(await store.findSet(db, setId));
  return rows.flatMap((row) => {
    const kind = kinds.get(row.kind);
    return kind === undefined ? [] : [{ ...fromRow(row, kind), takesAsIs: isLenient }];
  });
}

export function findItem(items: readonly SetItem[], kind: Kind, id: number): SetItem | undefined {
  return items.find((item) => item.kind === kind && item.id === id);
}

/** Stores what a change set does with an object, or that it does nothing with it. */
export async function saveItem(db: ContentDb, setId: number, item: SetItem): Promise<void> {
  if (isEmpty(item)) await store.deleteItem(db, setId, item.kind.name, item.id);
  else await store.upsertItem(db, toRow(setId, item));
}

/** Stores which files an object of a change set uses. */
export async function saveFileUses(
  db: ContentDb,
  setId: number,
  { kind, id, isDeleted, arrangements }: Pick<SetItem, 'kind' | 'id' | 'isDeleted' | 'arrangements'>,
  { after, reports }: { readonly after: ObjectState; readonly reports: readonly TextReport[] },
): Promise<void> {
  const named = [
    ...Object.values(kind.refersTo?.(after) ?? {}).flat(),
    ...reports.flatMap(({ references = [] }) => references),
    ...arrangements.flatMap(({ op, body }) =>
      op === 'replace' ? [{ kind: 'file', key: String(Reflect.get(body, 'file_id')) }] : [],
    ),
  ];
  const uses = named.filter(({ kind: to }) => !isDeleted && (to === 'file' || to === 'media'));
  const distinct = new Map(uses.map((use) => [`${use.kind} ${use.key}`, use]));
  const set = { kind: 'change_set', id: setId };
  await replaceReferences(db, set, `${kind.name} ${id}`, 0, [...distinct.values()]);
}

/** Whether an item does nothing. */
export function isEmpty({ creation, isDeleted, fields, arrangements }: SetItem): boolean {
  const isKept = creation !== undefined || isDeleted || arrangements.length > 0;
  return !isKept && Object.keys(fields).length === 0;
}

/** A hash of what items do. It stays the same when only who has done it, or in which order, is different. */
export function hashItems(items: readonly SetItem[]): string {
  const done = items.map(({ kind, id, creation = null, isDeleted, fields, arrangements }) => {
    const sorted = Object.entries(fields).sort(([left], [right]) => (left < right ? -1 : 1));
    return JSON.stringify([kind.name, id, creation, isDeleted, sorted, arrangements]);
  });
  return createHash('sha256').update(done.sort().join('\n')).digest('hex');
}

export function findOp({ creation, isDeleted, arrangements }: SetItem): (typeof itemOps)[number] {
  if (creation !== undefined) return 'create';
  if (isDeleted) return 'delete';
  return arrangements.some(({ op }) => op === 'move') ? 'move' : 'update';
}

/** The names of the fields that an item changes. */
export function listFieldNames(item: SetItem): string[] {
  const { kind, creation = {}, fields, arrangements, base } = item;
  const arranged = arrangements.map(({ op, body }) => {
    if (op === 'replace') return contentField;
    if (op !== 'move') return 'translations';
    return Reflect.get(body, 'parent_id') === Reflect.get(base ?? {}, 'parent_id') ? 'sort' : 'parent_id';
  });
  return [...new Set([...Object.keys(readBodyFields(kind, creation)), ...Object.keys(fields), ...arranged])];
}

/** The name under which new bytes of a file are shown. */
export const contentField = 'content';

/** What people call an object. */
export function findTitle(kind: Kind, state: ObjectState): string {
  const { name = '', path = '', slug = '' } = kind.namesOf(state);
  return name || path || slug;
}

function fromRow(row: store.ItemRow, kind: Kind): SetItem {
  const { object_id: id, position, title, base, creation } = row;
  return {
    ...{ kind, id, position, title },
    // Type boundary: only `toRow` writes this JSON.
    base: base === null ? undefined : (JSON.parse(base) as ObjectState),
    creation: creation === null ? undefined : (JSON.parse(creation) as object),
    isDeleted: row.is_deleted !== 0,
    fields: JSON.parse(row.fields) as FieldValues,
    arrangements: JSON.parse(row.arrangements) as Arrangement[],
    ...readAuthors(row),
    updatedAt: row.updated_at,
  };
}

/** The column has the names of the authors, and after them the saves. */
function readAuthors({ authors: json }: store.ItemRow): Pick<SetItem, 'authors' | 'saves'> {
  // Type boundary: only `toRow` writes this JSON.
  const entries = JSON.parse(json) as (string | Save)[];
  return {
    authors: entries.filter((entry) => typeof entry === 'string'),
    saves: entries.filter((entry) => typeof entry !== 'string'),
  };
}

function toRow(setId: number, item: SetItem): store.ItemRow {
  const creation = item.creation === undefined ? null : JSON.stringify(item.creation);
  const [fields, arrangements] = [JSON.stringify(item.fields), JSON.stringify(item.arrangements)];
  return {
    change_set_id: setId,
    kind: item.kind.name,
    object_id: item.id,
    ...{ position: item.position, title: item.title },
    base: item.base === undefined ? null : JSON.stringify(item.base),
    ...{ creation, fields, arrangements },
    is_deleted: Number(item.isDeleted),
    authors: JSON.stringify([...item.authors, ...item.saves]),
    updated_at: item.updatedAt,
    size: Buffer.byteLength(`${creation ?? ''}${fields}${arrangements}`),
  };
}
