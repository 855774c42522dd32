import { parseQuery, QueryFault } from '../content/items/query.ts';
import type { CollectionRecord, ItemRecord } from '../content/items/records.ts';
import { TooManyItems } from '../content/items/select.ts';
import type { FieldTarget } from '../fields/targets.ts';
import { type HasTarget, presentData } from '../fields/types.ts';
import type { TaskContext } from './context.ts';
import { showEntries, splitView } from './data-view.ts';
import type { DataResult, DataTask } from './messages/data.ts';

/** The entries of a query as JSON. */
export async function dataTask(context: TaskContext, task: DataTask): Promise<DataResult> {
  const { value } = await context.onSnapshot(0, () => answerTo(context, task));
  return value;
}

function answerTo(context: TaskContext, task: DataTask): DataResult {
  const collection = context.memo.items.collectionById(task.collectionId);
  if (collection === undefined) return { kind: 'gone' };
  try {
    return select(context, task, collection);
  } catch (error) {
    if (error instanceof TooManyItems) return { kind: 'too-many' };
    if (!(error instanceof QueryFault)) throw error;
    const { kind, field, detail } = error;
    return { kind: 'fault', fault: kind, field, detail };
  }
}

function select(
  { memo, tools }: TaskContext,
  { pairs, drafts, form, maxEntries }: DataTask,
  collection: CollectionRecord,
): DataResult {
  const { view, query: queried } =
    form === 'values' ? splitView(collection, pairs) : { view: undefined, query: pairs };
  const query = parseQuery(collection, queried);
  const most = maxEntries === undefined ? query.limit : Math.min(query.limit ?? Infinity, maxEntries + 1);
  const limited = { ...query, limit: collection.singleton ? 1 : most };
  const items = memo.items.select(collection, limited, drafts);
  if (maxEntries !== undefined && items.length > maxEntries) return { kind: 'too-many' };
  const valuesOf = () =>
    tools.entries.list(collection, items, {
      drafts,
      unsaved: undefined,
      rootId: memo.siteTable().fallback?.id ?? 0,
      scheme: tools.scheme,
    });
  const shown =
    view !== undefined
      ? showEntries(memo, collection, valuesOf(), view, drafts)
      : items.map((item) => presentEntry(collection, item, drafts, (target) => isThere(memo, target)));
  const json = JSON.stringify(collection.singleton ? (shown[0] ?? null) : shown);
  const isPart = form === 'entries' || query.limit !== undefined || query.offset > 0;
  const count = isPart ? memo.items.count(collection, query, drafts) : items.length;
  return { kind: 'data', json: Buffer.from(json), count };
}

function isThere(memo: TaskContext['memo'], { kind, collection, id }: FieldTarget): boolean {
  switch (kind) {
    case 'file':
      return memo.file(id) !== undefined;
    case 'page':
      return memo.basics(id) !== undefined;
    case 'item':
      return (collection === null ? memo.items.itemOfAny(id) : memo.items.item(collection, id)) !== undefined;
  }
}

/** An entry as the API shows it. */
function presentEntry(
  { fields }: CollectionRecord,
  item: ItemRecord,
  drafts: boolean,
  isThere: HasTarget,
): object {
  return { ...item, data: presentData(item.data, fields, drafts, isThere) };
}
