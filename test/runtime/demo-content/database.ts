/** Installs the demonstration website in a content database, which the render tasks read. */
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Connection } from '../../../server/db/connection.ts';
import { migrate } from '../../../server/db/migrate.ts';
import { withIds } from '../../../server/features/demo/trees.ts';
import {
  assets,
  collections,
  entriesOf,
  globalBlocks,
  pages,
  parentPath,
  readContent,
  snippets,
  sources,
} from './site.ts';

const savedAt = 1_760_000_000;

/** Writes the whole website into a new database file, without its sources: nobody would answer what pages ask them. */
export function installInto(databaseFile: string): void {
  const connection = new Connection(databaseFile);
  migrate(connection, 'content', dirname(databaseFile));
  connection.close();
  const db = new Database(databaseFile);
  db.pragma('journal_mode = WAL');
  db.transaction(() => {
    const assetIds = insertAssets(db);
    insertSnippets(db, assetIds);
    insertCollections(db, insertPages(db, assetIds, insertGlobalBlocks(db)));
  })();
  db.close();
}

/** Adds the sources, for checks that render no page. */
export function installSourcesInto(databaseFile: string): void {
  const db = new Database(databaseFile);
  for (const { path, ...source } of sources) {
    const fields = { method: 'GET', headers: '{}', body: '', list_path: '', timeout: 10, ...source };
    insert(db, 'sources', { ...fields, url: `http://museum.example${path}`, ...saved() });
  }
  db.close();
}

type AssetIds = ReadonlyMap<string, number>;

function insertAssets(db: Database.Database): AssetIds {
  return new Map(
    assets.map(({ key, file, ...asset }) => [
      key,
      insert(db, 'assets', { ...asset, content: readContent(file), ...saved() }),
    ]),
  );
}

function insertSnippets(db: Database.Database, assetIds: AssetIds): void {
  for (const { name, description, file, schema: schemaFile, assets: keys = [] } of snippets) {
    const schema = schemaFile === undefined ? null : readContent(schemaFile);
    const id = insert(db, 'snippets', { name, description, schema, content: readContent(file), ...saved() });
    keys.forEach((key, position) => {
      insert(db, 'snippet_assets', { snippet_id: id, asset_id: idOf(assetIds, key), position });
    });
  }
}

/** IDs of the global blocks by their keys. */
function insertGlobalBlocks(db: Database.Database): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const { key, blocks, ...fields } of globalBlocks)
    ids.set(key, insert(db, 'global_blocks', { ...fields, blocks: readTree(blocks, ids), ...saved() }));
  return ids;
}

/** A tree as JSON. Files are not installed: their places in `site.json` stand for their IDs. */
function readTree(file: string, globals: ReadonlyMap<string, number>): string {
  const ids = { file: (position: number) => position, global: (key: string) => idOf(globals, key) };
  return JSON.stringify(withIds(JSON.parse(readContent(file)), ids));
}

function insertPages(
  db: Database.Database,
  assetIds: AssetIds,
  globals: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  const translated = new Set(pages.map(({ translates }) => translates));
  for (const { path, translates, html, head, blocks, assets: assigned = [], ...fields } of pages) {
    const parent = parentPath(path);
    const id = insert(db, 'pages', {
      ...fields,
      parent_id: parent === undefined ? null : idOf(ids, parent),
      root_id: ids.get('/') ?? 1,
      slug: path.slice(path.lastIndexOf('/') + 1),
      path,
      translation_group: translates ?? (translated.has(path) ? path : ''),
      sort: ids.size,
      html: readContent(html),
      head: readContent(head),
      blocks: blocks === undefined ? '[]' : readTree(blocks, globals),
      ...saved(),
    });
    ids.set(path, id);
    assigned.forEach(({ key, inherit }, position) => {
      insert(db, 'page_assets', { page_id: id, asset_id: idOf(assetIds, key), position, inherit });
    });
  }
  return ids;
}

/** Entries at the same place in two languages are versions of each other. Pictures are not installed. */
function insertCollections(db: Database.Database, pageIds: ReadonlyMap<string, number>): void {
  for (const { detail_page: page, entries: _file, translates, fields, ...columns } of collections) {
    const { slug } = columns;
    const id = insert(db, 'collections', {
      ...columns,
      detail_page_id: page === undefined ? 0 : idOf(pageIds, page),
      fields: JSON.stringify(
        fields.map((field) => ({
          ...{ label: field.name, required: false, options: [], collection: null },
          ...field,
        })),
      ),
      ...saved(),
    });
    for (const [index, { data }] of entriesOf(slug).entries())
      insert(db, 'items', {
        collection_id: id,
        sort: index + 1,
        translation_group: `${translates ?? slug} ${index}`,
        data: JSON.stringify({ ...data, picture: null }),
        ...saved(),
      });
  }
}

function insert(
  db: Database.Database,
  table: string,
  row: Readonly<Record<string, string | number | boolean | null>>,
): number {
  const columns = Object.keys(row);
  const values = Object.values(row).map((value) => (typeof value === 'boolean' ? Number(value) : value));
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return Number(db.prepare(sql).run(...values).lastInsertRowid);
}

function saved() {
  return { created_at: savedAt, updated_at: savedAt };
}

function idOf(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`nothing is called ${key}`);
  return id;
}
