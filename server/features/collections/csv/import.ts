import { type ApiError, apiError } from '../../../base/errors.ts';
import { forEachInSlices } from '../../../base/timers.ts';
import type { Change } from '../../../changes/changes.ts';
import type { PlacedMarkup } from '../../../content/fields/markup.ts';
import { decideAt } from '../../../content/kinds/decide.ts';
import { saveRevision, saveStateAuthor } from '../../../content/kinds/revisions.ts';
import { listChanged, mayWriteCode, refuseUnsafe } from '../../../content/kinds/unsafe-markup.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { keepItemReferences } from '../items/references.ts';
import { placeEntries, putItemAway } from '../items/service.ts';
import type { StoredCollection } from '../model.ts';
import { removeAllItems, type removeItem, runInBulk } from '../rows/bulk.ts';
import { listDataMarkup } from '../rows/markup.ts';
import type { Entry } from '../rows/model.ts';
import * as items from '../rows/store.ts';
import type { ItemTargets } from '../rows/values.ts';
import { type EntryFile, listCsvColumns } from './file.ts';
import { parseKeyField, parseMapping } from './mapping.ts';
import type { ImportResult } from './model.ts';
import { type Plan, type PlannedRow, planRows } from './plan.ts';

export interface ImportOptions {
  readonly mapping: string | undefined;
  readonly key: string | undefined;
  readonly replace: boolean;
  readonly targets: ItemTargets;
}

const previewRows = 20;

/** Reports what an import would do: the answer to `dry_run=1`. @param db must be in a transaction */
export async function previewImport(
  db: ContentDb,
  collection: StoredCollection,
  file: EntryFile,
  options: ImportOptions,
): Promise<ImportResult> {
  const { plan, result } = await plannedImport(db, collection, file, options);
  const deleted = options.replace ? await countOthers(db, collection, plan) : 0;
  return { ...result, deleted };
}

/**
 * Imports a file completely or not at all. Entries are created before others are deleted; IDs are never used again.
 *
 * @throws ApiError `csv.cellError`, `csv.rowError`, 400 `csv.errors`, `csv.singleton`, `common.invalid`
 */
export async function importEntries(
  change: Change,
  collection: StoredCollection,
  file: EntryFile,
  options: ImportOptions,
): Promise<ImportResult> {
  await decideAt(change, placeEntries(collection));
  const { plan, result } = await plannedImport(change.tx, collection, file, options);
  if (plan.errorCount > 0) throw refusal(plan);
  await refuseUnsafeRows(change, collection, plan.rows);
  const others = options.replace ? await countOthers(change.tx, collection, plan) : 0;
  if (others === 0 && plan.rows.every(isUnchanged)) return result;
  if (others > 0) await decideAt(change, placeEntries(collection), { isRemoval: true });
  const deleted = await runInBulk(change, collection, async () => {
    const kept = await writeRows(change, collection, plan.rows);
    const putAway: typeof removeItem = (_change, row) => putItemAway(change, collection, row);
    return options.replace ? removeAllItems(change, collection, kept, putAway) : 0;
  });
  change.record({ kind: 'items', action: 'imported', id: collection.id, collection: collection.slug });
  return { ...result, deleted };
}

/** Refuses the import at its end if a row brings markup that runs code and its author may not write code. */
async function refuseUnsafeRows(
  change: Change,
  collection: StoredCollection,
  rows: readonly PlannedRow[],
): Promise<void> {
  if (mayWriteCode(change, placeEntries(collection))) return;
  const changed: PlacedMarkup[] = [];
  await forEachInSlices(rows, async ({ data, before }) => {
    const stored = before === undefined ? [] : await listDataMarkup(change.tx, collection, before.data);
    changed.push(...listChanged(await listDataMarkup(change.tx, collection, data), stored));
  });
  refuseUnsafe(change, changed);
}

async function plannedImport(
  db: ContentDb,
  collection: StoredCollection,
  file: EntryFile,
  { mapping: sentMapping, key: sentKey, replace, targets }: ImportOptions,
): Promise<{ readonly plan: Plan; readonly result: ImportResult }> {
  if (collection.singleton) throw apiError('csv.singleton', {});
  const mapping = parseMapping(file.columns, collection, sentMapping);
  const key = parseKeyField(mapping, sentKey);
  const plan = await planRows({ db, collection, file, mapping, targets }, key, replace);
  const updated = plan.rows.filter(({ before }) => before !== undefined).length;
  const created = plan.rows.length - updated;
  const result = {
    delimiter: file.delimiter,
    rows: file.rows.length,
    columns: listCsvColumns(file),
    mapping: [...mapping],
    key,
    preview: plan.rows.slice(0, previewRows).map(previewOf),
    errors: [...plan.errors],
    error_count: plan.errorCount,
    warnings: [...plan.warnings],
    warning_count: plan.warningCount,
    created,
    updated,
    deleted: 0,
    imported: created + updated,
  };
  return { plan, result };
}

function previewOf({ data, published, before }: PlannedRow): ImportResult['preview'][number] {
  return {
    data: { ...data },
    published,
    action: before === undefined ? 'create' : 'update',
    id: before?.id ?? 0,
  };
}

/** Writes the rows. Resolves with the IDs of all entries of the file. */
async function writeRows(
  change: Change,
  collection: StoredCollection,
  rows: readonly PlannedRow[],
): Promise<ReadonlySet<number>> {
  const { tx } = change;
  const ids = new Set<number>();
  let sort = await items.nextSort(tx, collection.id);
  await forEachInSlices(rows, async (row) => {
    const entry =
      row.before === undefined
        ? await createEntry(change, collection, row, sort++)
        : await updateEntry(change, row, row.before);
    await keepItemReferences(tx, collection, entry, row.before);
    ids.add(entry.id);
  });
  return ids;
}

async function createEntry(
  change: Change,
  { id: collection_id }: StoredCollection,
  { data, published }: PlannedRow,
  sort: number,
): Promise<Entry> {
  const { tx, now } = change;
  const entry = {
    collection_id,
    data,
    sort,
    published,
    translation_group: '',
    created_at: now,
    updated_at: now,
  };
  const id = await items.items.insert(tx, entry);
  await saveStateAuthor(change, { kind: 'item', id });
  return { id, ...entry };
}

function isUnchanged({ data, published, before }: PlannedRow): boolean {
  return published === before?.published && JSON.stringify(data) === JSON.stringify(before.data);
}

async function updateEntry(change: Change, row: PlannedRow, before: Entry): Promise<Entry> {
  if (isUnchanged(row)) return before;
  const { data, published } = row;
  await saveRevision(change, { kind: 'item', id: before.id }, before);
  const entry = { ...before, data, published, updated_at: Math.max(change.now, before.updated_at + 1) };
  await items.items.update(change.tx, entry);
  await saveStateAuthor(change, { kind: 'item', id: entry.id });
  return entry;
}

/** Number of the entries that the file does not have. */
async function countOthers(db: ContentDb, { id }: StoredCollection, { rows }: Plan): Promise<number> {
  const kept = rows.filter(({ before }) => before !== undefined).length;
  return (await items.countItems(db, id)) - kept;
}

/** The error of an import that is refused: that of the only error, or one for all. */
function refusal({ errors, errorCount }: Plan): ApiError {
  const fields = { errors, error_count: errorCount };
  const [first] = errors;
  if (errorCount > 1 || first === undefined)
    return apiError('csv.errors', { count: errorCount }, { fields, status: 400 });
  const { column, ...cause } = first;
  return column === ''
    ? apiError('csv.rowError', cause, { fields })
    : apiError('csv.cellError', { ...cause, column }, { fields });
}
