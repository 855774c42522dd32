import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';
import type { SnippetAsset, StoredSnippet } from './model.ts';

export async function findSnippet(db: ContentDb, id: number): Promise<StoredSnippet | undefined> {
  const row = await selectSnippet.first(db, { id });
  return row === undefined ? undefined : fromRow(row);
}

export async function listSnippets(db: ContentDb): Promise<StoredSnippet[]> {
  return (await selectSnippets.all(db, {})).map(fromRow);
}

/** Whether a snippet other than `exceptId` has this name. */
export async function isNameTaken(db: ContentDb, name: string, exceptId: number): Promise<boolean> {
  return (await selectByName.first(db, { name, exceptId })) !== undefined;
}

export async function insertSnippet(db: ContentDb, snippet: Omit<StoredSnippet, 'id'>): Promise<number> {
  return (await insert.first(db, toRow(snippet)))?.id ?? 0;
}

export async function updateSnippet(db: ContentDb, snippet: StoredSnippet): Promise<void> {
  await update.run(db, { ...toRow(snippet), id: snippet.id });
}

export async function deleteSnippet(db: ContentDb, id: number): Promise<void> {
  await remove.run(db, { id });
}

/** The assets of one snippet in loading order. */
export function listAssets(db: ContentDb, snippetId: number): Promise<SnippetAsset[]> {
  return selectAssets.all(db, { snippetId });
}

/** The assets of every snippet that has some. */
export async function listAllAssets(db: ContentDb): Promise<Map<number, SnippetAsset[]>> {
  const ofSnippets = new Map<number, SnippetAsset[]>();
  for (const { snippet_id, ...asset } of await selectAllAssets.all(db, {})) {
    const list = ofSnippets.get(snippet_id) ?? [];
    list.push(asset);
    ofSnippets.set(snippet_id, list);
  }
  return ofSnippets;
}

/** Replaces the assets of a snippet: first places count, IDs that do not exist are left out. */
export async function replaceAssets(
  db: ContentDb,
  snippetId: number,
  assetIds: readonly number[],
): Promise<void> {
  await deleteAssets.run(db, { snippetId });
  for (const [position, assetId] of [...new Set(assetIds)].entries()) {
    await insertAsset.run(db, { snippetId, assetId, position });
  }
}

interface SnippetRow {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly folder: string;
  readonly schema: string | null;
  readonly page_layout: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

function fromRow(row: SnippetRow & { id: number }): StoredSnippet {
  return {
    ...row,
    schema: row.schema === null ? null : JSON.parse(row.schema),
    page_layout: row.page_layout === null ? null : JSON.parse(row.page_layout),
  };
}

function toRow(snippet: Omit<StoredSnippet, 'id'>): SnippetRow {
  return {
    ...snippet,
    schema: snippet.schema === null ? null : JSON.stringify(snippet.schema),
    page_layout: snippet.page_layout === null ? null : JSON.stringify(snippet.page_layout),
  };
}

const selectSnippet = contentQuery((db, p: { id: number }) =>
  db.selectFrom('snippets').selectAll().where('id', '=', p.id),
);

const selectSnippets = contentQuery((db, _p: object) => db.selectFrom('snippets').selectAll());

const selectByName = contentQuery((db, p: { name: string; exceptId: number }) =>
  db.selectFrom('snippets').select('id').where('name', '=', p.name).where('id', '<>', p.exceptId),
);

const insert = contentQuery((db, p: SnippetRow) =>
  db
    .insertInto('snippets')
    .values({ ...writtenColumns(p), created_at: p.created_at })
    .returning('id'),
);

const update = contentQuery((db, p: SnippetRow & { id: number }) =>
  db.updateTable('snippets').set(writtenColumns(p)).where('id', '=', p.id),
);

/** Spelt out, because a prepared query sees markers and not values. */
function writtenColumns(p: SnippetRow) {
  return {
    name: p.name,
    description: p.description,
    content: p.content,
    folder: p.folder,
    schema: p.schema,
    page_layout: p.page_layout,
    updated_at: p.updated_at,
  };
}

const remove = contentQuery((db, p: { id: number }) => db.deleteFrom('snippets').where('id', '=', p.id));

const selectAssets = contentQuery((db, p: { snippetId: number }) =>
  db
    .selectFrom('snippet_assets')
    .innerJoin('assets', 'assets.id', 'snippet_assets.asset_id')
    .select(['snippet_assets.asset_id', 'assets.name', 'assets.kind'])
    .where('snippet_assets.snippet_id', '=', p.snippetId)
    .orderBy('snippet_assets.position'),
);

const selectAllAssets = contentQuery((db, _p: object) =>
  db
    .selectFrom('snippet_assets')
    .innerJoin('assets', 'assets.id', 'snippet_assets.asset_id')
    .select(['snippet_assets.snippet_id', 'snippet_assets.asset_id', 'assets.name', 'assets.kind'])
    .orderBy('snippet_assets.snippet_id')
    .orderBy('snippet_assets.position'),
);

const deleteAssets = contentQuery((db, p: { snippetId: number }) =>
  db.deleteFrom('snippet_assets').where('snippet_id', '=', p.snippetId),
);

const insertAsset = contentQuery((db, p: { snippetId: number; assetId: number; position: number }) =>
  db
    .insertInto('snippet_assets')
    .columns(['snippet_id', 'asset_id', 'position'])
    .expression((expression) =>
      expression
        .selectFrom('assets')
        .select((column) => [
          column.val(p.snippetId).as('snippet_id'),
          'assets.id',
          column.val(p.position).as('position'),
        ])
        .where('assets.id', '=', p.assetId),
    ),
);
