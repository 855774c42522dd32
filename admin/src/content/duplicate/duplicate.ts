/** Copies objects: reads the originals with their unpublished changes, and creates all copies in one commit. */
import { api, maxOperations, requireData } from '../../api/client.ts';
import type { BatchOperation } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { send } from '../../api/resource.ts';
import { snippetResource } from '../code/code-kinds.ts';
import type { Collection } from '../collections.ts';
import { entriesChanged, listValues, loadEntriesById } from '../entries.ts';
import { globalBlocks } from '../global-blocks.ts';
import { pageLayoutsQuery, pagesChanged, refreshPageTree } from '../pages.ts';
import { type CopiedObject, loadCopy } from '../releases/copies.ts';
import { loadCopiedIds } from '../releases/marks.ts';
import { copyEntry, copyNamed, copyPage, listNameFields, type NamedKind, planPages } from './copied.ts';
import { stripCopyNumber } from './names.ts';
import { TooManyCopies } from './too-many-copies.ts';

/** How many originals are read at the same time. */
const readsAtOnce = 8;

/**
 * Copies pages, each behind its original.
 *
 * @param isDeep whether all pages below are copied too
 * @returns IDs of the copies beside their originals
 * @throws TooManyCopies
 */
export async function duplicatePages(ids: ReadonlySet<number>, isDeep: boolean): Promise<readonly number[]> {
  const [tree, layouts] = await Promise.all([refreshPageTree(), queryClient.fetchQuery(pageLayoutsQuery)]);
  const plans = planPages(tree, ids, isDeep);
  const tops = plans.filter(({ place }) => place !== undefined).length;
  requireFit(plans.length + tops);
  const pages = await loadOriginals(plans.map(({ id }) => ({ kind: 'page', id, path: `/pages/${id}` })));
  const ops = plans.flatMap((plan, index) => copyPage(plan, pages[index] ?? {}, layouts));
  return createCopies(ops, pagesChanged);
}

/** @returns IDs of the copies @throws TooManyCopies */
export async function duplicateEntries(
  collection: Collection,
  ids: readonly number[],
): Promise<readonly number[]> {
  requireFit(ids.length);
  const rows = await loadEntriesById(collection.id, ids);
  const copied = await loadCopiedIds('item');
  const data = await inGroups(rows, async (entry) => {
    const path = `/collections/${collection.id}/items/${entry.id}`;
    const copy = copied.has(entry.id) ? await loadCopy(path) : null;
    // Type boundary: the copy of an entry is an entry.
    return ((copy?.object ?? entry) as typeof entry).data;
  });
  const taken = new Map<string, Set<unknown>>();
  for (const name of listNameFields(collection)) {
    const stems = new Set(data.map((values) => stripCopyNumber(String(values[name] ?? ''))));
    const values = await inGroups([...stems], (stem) => listValues(collection.id, name, stem));
    taken.set(name, new Set(values.flat()));
  }
  const ops = data.map((values) => copyEntry(collection, values, taken));
  return createCopies(ops, () => entriesChanged(collection.id));
}

/** @returns IDs of the copies */
export async function duplicateNamed(kind: NamedKind, id: number): Promise<readonly number[]> {
  const resource = kind === 'snippet' ? snippetResource : globalBlocks;
  const objects = await loadOriginals([{ kind, id, path: `/${resource.name}/${id}` }]);
  const snippets = await queryClient.fetchQuery({ ...snippetResource.list(undefined), staleTime: 0 });
  const names = new Set(snippets.map(({ name }) => name));
  const ops = objects.map((object) => copyNamed(kind, object, names));
  return createCopies(ops, () => resource.changed());
}

function requireFit(count: number): void {
  if (count > maxOperations) throw new TooManyCopies(count);
}

/** Objects as their editors show them: with their working copies, unless editors save live. */
async function loadOriginals(objects: readonly CopiedObject[]): Promise<readonly object[]> {
  const copied = await loadCopiedIds(objects[0]?.kind ?? '');
  return inGroups(objects, async ({ id, path }) => {
    const copy = copied.has(id) ? await loadCopy(path) : null;
    return copy?.object ?? send<object>('get', path);
  });
}

/** Does the same with each of several things, some at the same time. Results are in the same order. */
async function inGroups<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += readsAtOnce)
    results.push(...(await Promise.all(items.slice(start, start + readsAtOnce).map(run))));
  return results;
}

/** Creates all copies or none. @returns IDs of those that stand beside their originals */
async function createCopies(
  ops: readonly BatchOperation[],
  changed: () => Promise<void>,
): Promise<readonly number[]> {
  if (ops.length === 0) return [];
  const { results } = await requireData(api.POST('/batch', { body: { ops: [...ops] } }));
  await changed();
  const moved = results.filter(({ op }) => op === 'move');
  return (moved.length > 0 ? moved : results).map(({ id }) => id);
}
