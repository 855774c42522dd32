/** Makes the content of an instance that of a bundle, row by row and inside one change. */
import { forEachInSlices } from '../../base/timers.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { addToBacklog } from '../../content/kinds/references.ts';
import { forgetStateAuthor } from '../../content/kinds/revisions.ts';
import { deferReferences } from '../../db/schema.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { MediaContents } from '../media/contents.ts';
import { readObjectId } from './check.ts';
import { readOriginIds, replaceOriginIds } from './origins.ts';
import { differences, type Row, type RowDifference, type TableRows } from './rows.ts';
import type { StagedContent } from './staged.ts';

/** Numbers of rows by table. */
export interface ImportCounts {
  readonly created: Record<string, number>;
  readonly updated: Record<string, number>;
  readonly deleted: Record<string, number>;
}

/** What an import would do. */
export async function countDifferences(
  tables: readonly TableRows[],
  target: ContentDb,
  staged: ContentDb,
): Promise<ImportCounts> {
  const counts = emptyCounts(tables);
  for (const rows of tables)
    for await (const { action } of differences(rows, target, staged)) count(counts, action, rows);
  return counts;
}

function emptyCounts(tables: readonly TableRows[]): ImportCounts {
  const none = () => Object.fromEntries(tables.map(({ table }) => [table.name, 0]));
  return { created: none(), updated: none(), deleted: none() };
}

function count(counts: ImportCounts, action: RowDifference['action'], { table }: TableRows): void {
  counts[action][table.name] = (counts[action][table.name] ?? 0) + 1;
}

/** The rows of a table that differ, by their keys. */
interface TablePlan {
  readonly rows: TableRows;
  readonly created: Row[];
  readonly updated: { readonly key: Row; readonly movesUnique: boolean }[];
  readonly deleted: Row[];
}

/**
 * Writes the differences. Rows that go are deleted first, then values that must be unique make way, so that two
 * objects may exchange theirs.
 */
export async function applyContent(
  change: Change,
  tables: readonly TableRows[],
  { db: staged, keptEntries }: Pick<StagedContent, 'db' | 'keptEntries'>,
  contents: MediaContents,
): Promise<ImportCounts> {
  const { tx } = change;
  const isKept = ({ table }: TableRows, row: Row) =>
    table.name === 'items' && keptEntries.has(Number(row['id']));
  const counts = emptyCounts(tables);
  const plans: TablePlan[] = [];
  const objects = new ChangedObjects();
  for (const rows of tables) {
    const plan: TablePlan = { rows, created: [], updated: [], deleted: [] };
    plans.push(plan);
    for await (const difference of differences(rows, tx, staged)) {
      count(counts, difference.action, rows);
      objects.add(rows, difference);
      addToPlan(plan, difference);
      if (rows.table.name === 'files') await takeAwayContent(change, contents, difference);
    }
  }
  deferReferences(tx);
  for (const { rows, deleted } of plans.toReversed())
    await forEachInSlices(deleted, (key) => rows.remove(tx, key));
  for (const { rows, updated } of plans)
    await forEachInSlices(updated, async ({ key, movesUnique }) => {
      if (movesUnique) await makeWay(tx, rows, key);
    });
  for (const { rows, created } of plans)
    await forEachInSlices(created, async (key) => rows.insert(tx, await requireRow(rows, staged, key)));
  for (const { rows, updated } of plans)
    await forEachInSlices(updated, async ({ key }) => {
      const after = await requireRow(rows, staged, key);
      const before = await rows.find(tx, key);
      // The deletion of what it belonged to may have taken the row along.
      if (before === undefined) await rows.insert(tx, after);
      else if (isSameObject(rows, after, before) || isKept(rows, after))
        await rows.update(tx, withLaterTime(after, before));
      else await replace(tx, rows, withLaterTime(after, before));
    });
  for (const kind of new Set(tables.map(({ table }) => table.kind))) await kind.bundle?.derive?.(tx);
  await replaceOriginIds(tx, await readOriginIds(staged));
  await objects.deriveAgain(tx);
  return counts;
}

function addToPlan({ rows, created, updated, deleted }: TablePlan, difference: RowDifference): void {
  if (difference.action === 'deleted') deleted.push(rows.keyOf(difference.before));
  else if (difference.action === 'created') created.push(rows.keyOf(difference.after));
  else {
    const { before, after } = difference;
    const movesUnique = rows.table.unique.some((column) => before[column] !== after[column]);
    updated.push({ key: rows.keyOf(after), movesUnique });
  }
}

function isSameObject({ table }: TableRows, after: Row, before: Row): boolean {
  return table.fixed.every((column) => after[column] === before[column]);
}

/** Versions, counts and other things that hang on a row go with it. */
async function replace(tx: ContentDb, rows: TableRows, row: Row): Promise<void> {
  await rows.remove(tx, rows.keyOf(row));
  await rows.insert(tx, row);
}

/** Values that no client can store, because they begin with a control character. */
async function makeWay(tx: ContentDb, rows: TableRows, key: Row): Promise<void> {
  const row = await rows.find(tx, key);
  if (row === undefined) return;
  const mark = `\u0001${Object.values(key).join(' ')}`;
  const passing = Object.fromEntries(rows.table.unique.map((column) => [column, mark]));
  await rows.update(tx, { ...row, ...passing });
}

/** Addresses with `updated_at` are cached for a long time, so a changed object never has an earlier one again. */
function withLaterTime(after: Row, before: Row): Row {
  const was = before['updated_at'];
  const will = after['updated_at'];
  return typeof was === 'number' && typeof will === 'number'
    ? { ...after, updated_at: Math.max(will, was + 1) }
    : after;
}

async function requireRow(rows: TableRows, staged: ContentDb, key: Row): Promise<Row> {
  const row = await rows.find(staged, key);
  if (row === undefined) throw new Error(`a row of ${rows.table.name} is gone from the content of a bundle`);
  return row;
}

async function takeAwayContent(
  change: Change,
  contents: MediaContents,
  difference: RowDifference,
): Promise<void> {
  if (difference.action === 'created') return;
  const { before } = difference;
  if (difference.action === 'updated' && difference.after['content'] === before['content']) return;
  change.after(await contents.takeAway(change.tx, Number(before['id'])));
}

/** The objects that a bundle brings in another state: others have made it, and references may have changed. */
class ChangedObjects {
  readonly #ids = new Map<Kind, Set<number>>();

  add(rows: TableRows, difference: RowDifference): void {
    const { kind, name } = rows.table;
    if (difference.action === 'deleted' && name === kind.tables[0]) return;
    const ids = this.#ids.get(kind) ?? new Set();
    this.#ids.set(kind, ids.add(readObjectId(rows, difference)));
  }

  async deriveAgain(tx: ContentDb): Promise<void> {
    for (const [{ name, revisions }, ids] of this.#ids)
      await forEachInSlices([...ids], async (id) => {
        await addToBacklog(tx, { kind: name, id });
        if (revisions !== undefined) await forgetStateAuthor(tx, { kind: revisions.kind, id });
      });
  }
}
