import { detailPath } from '../../../runtime/page/entry-address.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { BlockUsage } from './model.ts';
import * as store from './store.ts';

/** The objects whose trees insert a global block: pages, entries, other global blocks; each once. */
export async function listUsageOfGlobal(db: ContentDb, id: number): Promise<BlockUsage[]> {
  return usageEntries(db, await store.listTreesWithGlobal(db, id));
}

/** The objects whose trees have blocks of a type; each once. */
export async function listUsageOfType(db: ContentDb, name: string): Promise<BlockUsage[]> {
  return usageEntries(db, await store.listTreesWithType(db, name));
}

async function usageEntries(db: ContentDb, trees: readonly store.TreeField[]): Promise<BlockUsage[]> {
  const objects = new Map(trees.map((tree) => [`${tree.kind} ${tree.id}`, tree]));
  const usage: BlockUsage[] = [];
  for (const tree of objects.values()) {
    const entry = await entryOf[tree.kind](db, tree.id);
    if (entry !== undefined) usage.push(entry);
  }
  return usage;
}

const entryOf: Readonly<
  Record<store.TreeField['kind'], (db: ContentDb, id: number) => Promise<BlockUsage | undefined>>
> = {
  async page(db, id) {
    const page = await store.findPageName(db, id);
    return page && { kind: 'page', id, title: page.title, path: page.path };
  },
  async item(db, id) {
    const item = await store.findItemName(db, id);
    if (item === undefined) return undefined;
    const { slug, pagePath, detailField, data } = item;
    const path = pagePath === null ? '' : detailPath(pagePath, data[detailField]);
    return { kind: 'item', id, title: titleOf(item), path, collection: slug };
  },
  async global_block(db, id) {
    const name = await store.findGlobalName(db, id);
    return name === undefined ? undefined : { kind: 'global', id, title: name, path: '' };
  },
};

/** The field `title`, `titel` or `name` of an entry, else its first text field (Core, "Global block"). */
function titleOf({ fields, data }: store.ItemName): string {
  const named = ['title', 'titel', 'name'].flatMap((name) => fields.filter((field) => field.name === name));
  const text = [...named, ...fields.filter(({ type }) => type === 'text')]
    .map(({ name }) => data[name])
    .find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? text : '';
}
