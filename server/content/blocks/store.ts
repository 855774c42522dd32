import type { BlockTree } from '../../../runtime/blocks/tree.ts';
import { computeNextUpdate } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

const pages = contentTable('pages');
const snippets = contentTable('snippets');
const globalBlocks = contentTable('global_blocks');
const files = contentTable('files');
const items = contentTable('items');
const collections = contentTable('collections');

/** The schema of a snippet as JSON, null for none; undefined if there is no such snippet. */
export async function findSchema(db: ContentDb, name: string): Promise<unknown> {
  const row = await selectSchema(db, name);
  if (row === undefined) return undefined;
  return row.schema === null ? null : JSON.parse(row.schema);
}

/** The tree of a global block. Type boundary: only checked trees are stored. */
export async function findGlobalTree(db: ContentDb, id: number): Promise<BlockTree | undefined> {
  const row = await selectGlobal(db, id);
  return row === undefined ? undefined : (JSON.parse(row.blocks) as BlockTree);
}

export async function hasFile(db: ContentDb, id: number): Promise<boolean> {
  return (await selectFile(db, id)) !== undefined;
}

/** Whether a collection has an entry with this ID. */
export const hasItem = items.existsBy('collection_id', 'id');

/** Whether any collection has an entry with this ID. */
export const hasEntry = items.existsBy('id');

export const hasPage = pages.existsBy('id');

/** The fields of a collection by its ID or slug; undefined if there is no such collection. */
export async function findFields(
  db: ContentDb,
  ref: number | string,
): Promise<ItemName['fields'] | undefined> {
  const row =
    typeof ref === 'number' ? await selectCollectionById(db, ref) : await selectCollectionBySlug(db, ref);
  return row === undefined ? undefined : fieldsIn(row.fields);
}

/** A field with a tree of an object, that refers to something. */
export interface TreeField {
  readonly kind: 'page' | 'item' | 'global_block';
  readonly id: number;
  readonly field: string;
}

/** The trees that refer to a global block, by kind, ID and field. */
export async function listTreesWithGlobal(db: ContentDb, id: number): Promise<TreeField[]> {
  return treeFields(await selectReferring.all(db, { kind: 'global_block', key: String(id) }));
}

/** The trees with blocks of a type. Templates that name the snippet do not count. */
export async function listTreesWithType(db: ContentDb, name: string): Promise<TreeField[]> {
  return treeFields(await selectReferring.all(db, { kind: 'snippet', key: name }));
}

/** The title and path of a page. */
export const findPageName = pages.findBy(['id'], ['title', 'path']);

export const findGlobalName = globalBlocks.findCellBy(['id'], 'name');

/** What the title and path of an entry are made from. */
export interface ItemName {
  readonly slug: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly detailField: string;
  /** Path of the detail page of the collection; null if it has none. */
  readonly pagePath: string | null;
}

export async function findItemName(db: ContentDb, id: number): Promise<ItemName | undefined> {
  const row = await selectItemName.first(db, { id });
  if (row === undefined) return undefined;
  const { slug, fields, data, detail_field: detailField, path } = row;
  // Type boundary: entries are stored as objects.
  const values = JSON.parse(data) as ItemName['data'];
  return { slug, fields: fieldsIn(fields), data: values, detailField, pagePath: path };
}

/** Finds the tree of an object. Type boundary: only checked trees are stored. */
export async function findTree(db: ContentDb, { kind, id, field }: TreeField): Promise<BlockTree> {
  if (kind === 'global_block') return (await findGlobalTree(db, id)) ?? [];
  if (kind === 'page') return JSON.parse((await selectPageTree(db, id))?.blocks ?? '[]') as BlockTree;
  const { data } = (await selectItemData(db, id)) ?? { data: '{}' };
  return ((JSON.parse(data) as Readonly<Record<string, BlockTree | null>>)[field] ?? []) as BlockTree;
}

/** Replaces the tree of an object, which counts as a change of the object. @param now Unix seconds */
export async function setTree(
  db: ContentDb,
  { kind, id, field }: TreeField,
  tree: BlockTree,
  now: number,
): Promise<void> {
  const blocks = JSON.stringify(tree);
  if (kind === 'page') await updatePageTree.run(db, { id, blocks, now });
  else if (kind === 'global_block') await updateGlobalTree.run(db, { id, blocks, now });
  else {
    const { data } = (await selectItemData(db, id)) ?? { data: '{}' };
    const changed = JSON.stringify({ ...JSON.parse(data), [field]: tree });
    await updateItemData.run(db, { id, data: changed, now });
  }
}

function treeFields(rows: readonly { kind: string; id: number; field: string }[]): TreeField[] {
  return rows.flatMap(({ kind, id, field }) => {
    const isTree = kind === 'item' || ((kind === 'page' || kind === 'global_block') && field === 'blocks');
    return isTree ? [{ kind, id, field }] : [];
  });
}

/** Type boundary: the fields of a collection are stored in this form. */
function fieldsIn(json: string): ItemName['fields'] {
  return JSON.parse(json) as ItemName['fields'];
}

const selectSchema = snippets.findBy(['name'], ['schema']);
const selectGlobal = globalBlocks.findBy(['id'], ['blocks']);
const selectFile = files.findBy(['id'], ['id']);
const selectCollectionById = collections.findBy(['id'], ['fields']);
const selectCollectionBySlug = collections.findBy(['slug'], ['fields']);
const selectReferring = contentQuery((db, p: { kind: string; key: string }) =>
  db
    .selectFrom('object_references')
    .select(['kind', 'object_id as id', 'field'])
    .where('to_kind', '=', p.kind)
    .where('to_key', '=', p.key)
    .orderBy('kind')
    .orderBy('object_id')
    .orderBy('field'),
);
const selectPageTree = pages.findBy(['id'], ['blocks']);
const selectItemData = items.findBy(['id'], ['data']);
const updatePageTree = contentQuery((db, p: { id: number; blocks: string; now: number }) =>
  db
    .updateTable('pages')
    .set({ blocks: p.blocks, updated_at: computeNextUpdate(p.now) })
    .where('id', '=', p.id),
);
const updateGlobalTree = contentQuery((db, p: { id: number; blocks: string; now: number }) =>
  db
    .updateTable('global_blocks')
    .set({ blocks: p.blocks, updated_at: computeNextUpdate(p.now) })
    .where('id', '=', p.id),
);
const updateItemData = contentQuery((db, p: { id: number; data: string; now: number }) =>
  db
    .updateTable('items')
    .set({ data: p.data, updated_at: computeNextUpdate(p.now) })
    .where('id', '=', p.id),
);
const selectItemName = contentQuery((db, p: { id: number }) =>
  db
    .selectFrom('items')
    .innerJoin('collections', 'collections.id', 'items.collection_id')
    .leftJoin('pages', 'pages.id', 'collections.detail_page_id')
    .select([
      'collections.slug',
      'collections.fields',
      'collections.detail_field',
      'items.data',
      'pages.path',
    ])
    .where('items.id', '=', p.id),
);
