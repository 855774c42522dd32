/** What an import does with each row, before anything is written. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { apiError } from '../../../base/errors.ts';
import { forEachInSlices } from '../../../base/timers.ts';
import type { Entry } from '../rows/model.ts';
import * as items from '../rows/store.ts';
import { listValues } from '../rows/value-store.ts';
import type { EntryRow } from './file.ts';
import type { Problem } from './model.ts';
import { problem, type ReadRow, type RowContext, readRow } from './rows.ts';
import { findSharedValues, type SourcedRow } from './unique-rows.ts';

/** A row with the entry that it becomes. */
export interface PlannedRow {
  readonly data: Entry['data'];
  readonly published: boolean;
  /** The entry that it changes; undefined for a new one. */
  readonly before: Entry | undefined;
}

export interface Plan {
  readonly rows: readonly PlannedRow[];
  /** The first of all errors and warnings. */
  readonly errors: readonly Problem[];
  readonly errorCount: number;
  readonly warnings: readonly Problem[];
  readonly warningCount: number;
}

/** Most errors and warnings that an answer lists. */
const maxListed = 100;

/**
 * Reads all rows. `context.db` must be in a transaction.
 *
 * @param key field by which rows find entries, or `_id`; empty = all rows are new
 * @param isReplaced whether entries that the file does not have are deleted
 */
export async function planRows(context: RowContext, key: string, isReplaced: boolean): Promise<Plan> {
  const found = await findEntries(context, key);
  const rows: (PlannedRow & SourcedRow)[] = [];
  const errors = new Listed();
  const warnings = new Listed();
  await forEachInSlices(context.file.rows, async (row) => {
    const match = found.get(row);
    if (match?.error !== undefined) errors.add([match.error]);
    const before = match?.id === undefined ? undefined : await items.items.find(context.db, match.id);
    const read: ReadRow = await readRow(context, row, before);
    errors.add(read.errors);
    warnings.add(read.warnings);
    const published = read.published ?? before?.published ?? true;
    // Rows behind an error are never written.
    if (errors.count === 0) rows.push({ data: read.data, published, before, row });
  });
  if (errors.count === 0) errors.add(await findSharedValues(context, rows, isReplaced));
  return {
    rows,
    errors: errors.list,
    errorCount: errors.count,
    warnings: warnings.list,
    warningCount: warnings.count,
  };
}

class Listed {
  readonly list: Problem[] = [];
  count = 0;

  add(problems: readonly Problem[]): void {
    this.count += problems.length;
    for (const found of problems) if (this.list.length < maxListed) this.list.push(found);
  }
}

interface Match {
  readonly id?: number;
  readonly error?: Problem;
}

/** The entry of each row that has a key, or why there is none. */
async function findEntries(context: RowContext, key: string): Promise<ReadonlyMap<EntryRow, Match>> {
  const matches = new Map<EntryRow, Match>();
  if (key === '') return matches;
  const column = context.mapping.indexOf(key);
  const name = context.file.columns[column] ?? '';
  const rowOf = new Map<string, EntryRow>();
  await forEachInSlices(context.file.rows, async (row) => {
    const value = await keyValue(context, row, key);
    if (value === undefined) return;
    const first = rowOf.get(value);
    if (first === undefined) rowOf.set(value, row);
    else
      matches.set(row, {
        error: problem(row, name, apiError('csv.keyDuplicate', { value, row: first.row })),
      });
  });
  const entries =
    key === '_id' ? await entriesById(context, rowOf) : await entriesByField(context, key, rowOf);
  await forEachInSlices(rowOf, async ([value, row]) => {
    const ids = entries.get(value) ?? [];
    const [id] = ids;
    if (ids.length > 1) {
      matches.set(row, { error: problem(row, name, apiError('csv.keyAmbiguous', { value })) });
    } else if (id !== undefined) {
      matches.set(row, { id });
    } else if (key === '_id') {
      matches.set(row, { error: problem(row, name, apiError('csv.idUnknown', { id: value })) });
    }
  });
  return matches;
}

/** The value of the key in a row, as text; undefined if it is empty. */
async function keyValue(context: RowContext, row: EntryRow, key: string): Promise<string | undefined> {
  if (key === '_id') {
    const cell = (row.cells[context.mapping.indexOf(key)] ?? '').trim();
    return cell === '' ? undefined : cell;
  }
  const { data } = await readRow(
    { ...context, mapping: context.mapping.map((name) => (name === key ? key : '')) },
    row,
    emptyEntry,
  );
  const value = data[key];
  return value === null || value === undefined ? undefined : textOf(value);
}

/** Stands for an entry, so that only the cell of the key is checked. */
const emptyEntry: Entry = {
  id: 0,
  collection_id: 0,
  data: {},
  sort: 0,
  published: true,
  translation_group: '',
  created_at: 0,
  updated_at: 0,
};

async function entriesById(
  { db, collection }: RowContext,
  rowOf: ReadonlyMap<string, EntryRow>,
): Promise<Map<string, number[]>> {
  const entries = new Map<string, number[]>();
  await forEachInSlices(rowOf.keys(), async (value) => {
    const id = /^[1-9]\d{0,14}$/.test(value) ? Number(value) : 0;
    if (await items.isItemOf(db, collection.id, id)) entries.set(value, [id]);
  });
  return entries;
}

async function entriesByField(
  { db, collection }: RowContext,
  key: string,
  rowOf: ReadonlyMap<string, EntryRow>,
): Promise<Map<string, number[]>> {
  const entries = new Map<string, number[]>();
  for await (const slice of listValues(db, collection.id, key)) {
    for (const { id, value } of slice) {
      const text = value === null ? undefined : textOf(value);
      if (text === undefined || !rowOf.has(text)) continue;
      entries.set(text, [...(entries.get(text) ?? []), id]);
    }
    await nextTurn();
  }
  return entries;
}

/** SQLite gives flags as numbers and lists as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return String(Number(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
