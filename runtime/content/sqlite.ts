import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { changeColumns, loggedChange } from './change-log.ts';
import { type Columns, columnNames, rowReader } from './columns.ts';
import { foldCase } from './items/query.ts';
import type { CollectionRecord, ItemRecord } from './items/records.ts';
import { itemNames } from './items/select.ts';
import { chosenLangSql } from './language.ts';
import { attachOverlay, attachViews, type RowViews } from './overlay.ts';
import type { ContentReader } from './reader.ts';
import {
  assetColumns,
  collectionColumns,
  fileColumns,
  itemColumns,
  pageColumns,
  redirectColumns,
  snippetColumns,
  sourceColumns,
} from './tables.ts';

/**
 * The content as SQLite holds it, read synchronously on a read-only connection.
 *
 * Statements run in raw mode: otherwise the driver would build row objects with code made from strings, which
 * the process forbids. A row is therefore a list of cells, and `rowReader` turns the cells into fields.
 *
 * Invariant: every statement is prepared once per connection.
 *
 * @param shown changes that are not committed, and the rows that may be shown (`overlay.ts`)
 * @throws if a file does not exist or cannot be read.
 */
export function openSqliteContent(
  file: string,
  {
    overlayFile,
    views = {},
  }: { readonly overlayFile?: string | undefined; readonly views?: RowViews | undefined } = {},
): ContentReader {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  const changed: ReadonlySet<string> = overlayFile === undefined ? new Set() : attachOverlay(db, overlayFile);
  attachViews(db, views, changed);
  const overlaid: ReadonlySet<string> = new Set([...changed, ...Object.keys(views)]);
  db.pragma('query_only = 1');
  db.pragma(`cache_size = ${-cacheKb}`);
  const prepare = <Params extends unknown[]>(sql: string) => db.prepare<Params, Row>(sql).raw();

  const begin = db.prepare('BEGIN');
  const end = db.prepare('COMMIT');
  const newestChange = prepare<[]>('SELECT max(seq) FROM changes');
  const oldestChange = prepare<[]>('SELECT min(seq) FROM changes');
  const changesAfter = prepare<[number]>(select(changeNames, 'changes WHERE seq > ? ORDER BY seq'));
  const sites = prepare<[]>(select(siteNames, 'pages WHERE parent_id IS NULL ORDER BY id'));
  const pageById = prepare<[number]>(select(pageNames, 'pages WHERE id = ?'));
  const fieldsById = prepare<[number]>(select(fieldNames, 'pages WHERE id = ?'));
  const basicsById = prepare<[number]>(select(basicNames, 'pages WHERE id = ?'));
  const pageByPath = prepare<[number, string]>(select(pageNames, 'pages WHERE root_id = ? AND path = ?'));
  const catchAll = prepare<[number]>(select(catchAllNames, 'pages WHERE root_id = ? AND catch_all = 1'));
  const children = {
    all: prepare<[number]>(select(childNames, 'pages WHERE parent_id = ? ORDER BY sort, id')),
    shown: prepare<[number]>(
      select(childNames, 'pages WHERE parent_id = ? AND published = 1 AND hide_in_nav = 0 ORDER BY sort, id'),
    ),
  };
  const drafts = prepare<[number, number]>(
    'SELECT path FROM pages WHERE root_id = ? AND published = 0 ORDER BY id LIMIT ?',
  );
  const langById = prepare<[number]>(
    `SELECT coalesce(${chosenLangSql('p.id')}, '') FROM pages p WHERE p.id = ?`,
  );
  const countListed = prepare<[number, number]>(select(['count(*)'], listedPages));
  const listed = prepare<[number, number, number, number]>(
    select(listedNames, `${listedPages} ORDER BY parent_id, sort, id LIMIT ? OFFSET ?`),
  );
  const redirect = prepare<[number, string]>(
    select(redirectNames, 'redirects WHERE root_id = ? AND source = ?'),
  );
  const snippet = prepare<[string]>(select(snippetNames, 'snippets WHERE name = ?'));
  const namesOfSnippets = prepare<[number]>('SELECT name FROM snippets ORDER BY name LIMIT ?');
  const versions = prepare<[string]>(`${versionsQuery} AND v.translation_group = ?`);
  const versionsOfSite = prepare<[number]>(
    `${versionsQuery} AND v.translation_group IN
      (SELECT translation_group FROM pages WHERE root_id = ? AND translation_group <> '')`,
  );
  const languages = prepare<[number]>(languagesQuery);
  const sitemapSource = prepare<[number]>(select(sourceNames, 'pages WHERE id = ?'));
  const pageBlocks = prepare<[number]>('SELECT blocks FROM pages WHERE id = ?');
  const pageRegions = prepare<[number]>('SELECT regions FROM pages WHERE id = ?');
  const globalBlock = prepare<[number]>('SELECT blocks FROM global_blocks WHERE id = ?');
  const snippetSchema = prepare<[string]>('SELECT schema FROM snippets WHERE name = ?');
  const ownAssets = prepare<[number]>(
    select(['asset_id', 'inherit'], 'page_assets WHERE page_id = ? ORDER BY position'),
  );
  const snippetAssets = prepare<[number]>(
    select(['asset_id'], 'snippet_assets WHERE snippet_id = ? ORDER BY position'),
  );
  const assetRef = prepare<[number]>(select(assetRefNames, 'assets WHERE id = ?'));
  const asset = prepare<[number]>(select(assetNames, 'assets WHERE id = ?'));
  const fileById = prepare<[number]>(select(fileNames, 'files WHERE id = ?'));

  const collectionBySlug = prepare<[string]>(select(collectionNames, 'collections WHERE slug = ?'));
  const collectionById = prepare<[number]>(select(collectionNames, 'collections WHERE id = ?'));
  const collectionsBelow = prepare<[number]>(
    select(collectionNames, 'collections WHERE detail_page_id = ? AND detail_page_id <> 0 ORDER BY id'),
  );
  const allCollections = prepare<[]>(select(collectionNames, 'collections ORDER BY slug'));
  const sourceBySlug = prepare<[string]>(select(sourceRecordNames, 'sources WHERE slug = ?'));
  const allSources = prepare<[]>(select(sourceRecordNames, 'sources ORDER BY slug'));
  const itemsById = prepare<[string]>(
    select(itemNames, 'items WHERE id IN (SELECT value FROM json_each(?))'),
  );
  const itemVersions = prepare<[string]>(
    select(itemNames, `items WHERE translation_group = ? AND translation_group <> '' ORDER BY id`),
  );
  const itemCount = prepare<[number]>('SELECT items, published FROM item_counts WHERE collection_id = ?');
  db.function('fold_case', { deterministic: true }, (text) => foldCase(String(text)));
  const schemaVersion = prepare<[]>('PRAGMA schema_version');
  const itemIndexes = prepare<[]>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'items' AND sql IS NOT NULL`,
  );
  const linkSets = prepare<[number]>(
    select(linkSetNames, 'item_link_sets WHERE collection_id = ? ORDER BY id'),
  );
  const noIndexes: ReadonlyMap<string, string> = new Map();
  let known: { readonly version: unknown; readonly indexes: ReadonlyMap<string, string> } = {
    version: undefined,
    indexes: new Map(),
  };
  const queries = new LRUCache<string, Database.Statement<unknown[], Row>>({ max: maxQueries });

  return {
    async snapshot(work) {
      begin.run();
      try {
        // The first read opens the snapshot, which BEGIN alone does not.
        return await work(Number(newestChange.get()?.[0] ?? 0));
      } finally {
        end.run();
      }
    },
    changesSince(seq) {
      const oldest = Number(oldestChange.get()?.[0] ?? 0);
      return oldest > seq + 1 ? undefined : changesAfter.all(seq).map(readChange).map(loggedChange);
    },
    sites: () => sites.all().map(readSite),
    page: (id) => maybe(pageById.get(id), readPage),
    pageFields: (id) => maybe(fieldsById.get(id), readFields),
    basics: (id) => maybe(basicsById.get(id), readBasics),
    pageByPath: (rootId, path) => maybe(pageByPath.get(rootId, path), readPage),
    catchAllPages: (rootId) => catchAll.all(rootId).map(readCatchAll),
    childrenOf: (parentId, which) => children[which].all(parentId).map(readChild),
    draftPaths: (rootId, limit) => drafts.all(rootId, limit).map(([path]) => String(path)),
    chosenLang: (id) => String(langById.get(id)?.[0] ?? ''),
    countListed: (rootId, exceptId) => Number(countListed.get(rootId, exceptId)?.[0] ?? 0),
    *listed(rootId, exceptId, start, count) {
      for (const row of listed.iterate(rootId, exceptId, count, start)) yield readListed(row);
    },
    redirect: (rootId, source) => maybe(redirect.get(rootId, source), readRedirect),
    snippet: (name) => maybe(snippet.get(name), readSnippet),
    snippetNames: (limit) => namesOfSnippets.all(limit).map(([name]) => String(name)),
    versions: (group) => versions.all(group).map(readVersion),
    versionsOfSite: (rootId) => versionsOfSite.all(rootId).map(readVersion),
    languages: (rootId) => languages.all(rootId).map(([lang]) => String(lang)),
    sitemapSource: (pageId) => maybe(sitemapSource.get(pageId), readSource)?.sitemap_source ?? null,
    pageBlocks: (pageId) => maybe(pageBlocks.get(pageId), ([tree]) => String(tree)),
    pageRegions: (pageId) => maybe(pageRegions.get(pageId), ([values]) => String(values)),
    globalBlock: (id) => maybe(globalBlock.get(id), ([tree]) => String(tree)),
    snippetSchema: (name) => maybe(snippetSchema.get(name), readSchema),
    ownAssets: (pageId) => ownAssets.all(pageId).map(readOwnAsset),
    snippetAssets: (snippetId) => snippetAssets.all(snippetId).map(([id]) => Number(id)),
    assetRef: (id) => maybe(assetRef.get(id), readAssetRef),
    asset: (id) => maybe(asset.get(id), readAsset),
    file: (id) => maybe(fileById.get(id), readFile),
    collection: (slug) => maybe(collectionBySlug.get(slug), readCollection),
    collectionById: (id) => maybe(collectionById.get(id), readCollection),
    collectionsBelow: (pageId) => collectionsBelow.all(pageId).map(readCollection),
    itemVersions: (group) => itemVersions.all(group).map(readItem),
    collections: () => allCollections.all().map(readCollection),
    source: (slug) => maybe(sourceBySlug.get(slug), readSourceRecord),
    sources: () => allSources.all().map(readSourceRecord),
    items: (ids) => itemsById.all(JSON.stringify(ids)).map(readItem),
    countItems: (collectionId, drafts) => Number(itemCount.get(collectionId)?.[drafts ? 0 : 1] ?? 0),
    // Indexes know committed entries only.
    itemIndexes() {
      if (overlaid.has('items')) return noIndexes;
      const version = schemaVersion.get()?.[0];
      if (known.version !== version) known = { version, indexes: new Map(itemIndexes.all().map(readIndex)) };
      return known.indexes;
    },
    linkSets: (collectionId) => (overlaid.has('items') ? [] : linkSets.all(collectionId).map(readLinkSet)),
    selectDetails: ({ text }) =>
      prepare<[]>(text)
        .all()
        .map(([value, updated_at, group]) => ({
          value,
          updated_at: Number(updated_at),
          translation_group: String(group),
        })),
    countSelected: ({ text, values }) => Number(prepare<unknown[]>(text).get(...values)?.[0] ?? 0),
    selectItems({ text, values }, maxItems, maxCharacters) {
      const query = queries.get(text) ?? prepare<unknown[]>(text);
      queries.set(text, query);
      const items: ItemRecord[] = [];
      let characters = 0;
      for (const row of query.iterate(...values)) {
        characters += String(row[itemNames.indexOf('data')]).length;
        if (items.length === maxItems || characters > maxCharacters) return undefined;
        items.push(readItem(row));
      }
      return items;
    },
    close: () => {
      db.close();
    },
  };
}

/**
 * Memory for pages of the file, in KB: the inner nodes of the indexes of 100,000 pages take less. What is not in
 * it is in the cache of the system.
 */
const cacheKb = 4 * 2 ** 10;

type Row = readonly unknown[];

/** Queries of entries that stay prepared. */
const maxQueries = 300;

const versionColumns = {
  id: 'integer',
  root_id: 'integer',
  translation_group: 'text',
  path: 'text',
  title: 'text',
  lang: 'text',
} as const satisfies Columns;

const ownAssetColumns = { asset_id: 'integer', inherit: 'flag' } as const satisfies Columns;

const pageNames = columnNames(pageColumns).filter(
  (name) => name !== 'sitemap_source' && name !== 'blocks' && name !== 'regions',
);
const sourceNames = ['sitemap_source'] as const;
const fieldNames = pageNames.filter((name) => name !== 'html' && name !== 'head');
const changeNames = columnNames(changeColumns);
const siteNames = ['id', 'domains', 'default_site'] as const;
const basicNames = [
  'id',
  'parent_id',
  'root_id',
  'path',
  'title',
  'lang',
  'published',
  'domains',
  'notfound_page_id',
  'robots_txt',
  'zone',
  'og_image_file_id',
  'favicon_file_id',
] as const;
const childNames = [
  'id',
  'parent_id',
  'root_id',
  'slug',
  'path',
  'title',
  'lang',
  'published',
  'hide_in_nav',
] as const;
const listedNames = ['path', 'translation_group', 'updated_at'] as const;
const catchAllNames = ['id', 'path', 'published'] as const;
const redirectNames = ['id', 'target', 'status'] as const;
const snippetNames = ['id', 'name', 'content'] as const;
const assetRefNames = ['id', 'kind', 'updated_at'] as const;
const assetNames = [...assetRefNames, 'name', 'content'] as const;
const fileNames = columnNames(fileColumns).filter(
  (name) => name !== 'folder_id' && name !== 'source_url' && name !== 'content',
);

const collectionNames = [
  'id',
  'slug',
  'name',
  'singleton',
  'live',
  'detail_page_id',
  'detail_field',
  'lang',
  'fields',
] as const;

const linkSetColumns = {
  id: 'integer',
  field: 'text',
  sort_field: 'text',
  descending: 'flag',
} as const satisfies Columns;
const linkSetNames = columnNames(linkSetColumns);
const readLinkSet = rowReader(linkSetColumns, linkSetNames);

/** What an index is on, and its name. */
function readIndex([name, sql]: Row): readonly [string, string] {
  return [String(sql).replace(/^.*? ON /s, ''), String(name)];
}

const sourceRecordNames = ['slug', 'name', 'url', 'list_path'] as const;

const readSourceRecord = rowReader(sourceColumns, sourceRecordNames);
const readItemRow = rowReader(itemColumns, itemNames);
const readCollectionRow = rowReader(collectionColumns, collectionNames);

/** Type boundary: the server stores data and fields in these forms. */
function readItem(row: Row): ItemRecord {
  return readItemRow(row) as ItemRecord;
}
function readCollection(row: Row): CollectionRecord {
  return readCollectionRow(row) as CollectionRecord;
}

function readSchema([schema]: Row): unknown {
  return schema === null ? null : JSON.parse(String(schema));
}

const readChange = rowReader(changeColumns, changeNames);
const readPage = rowReader(pageColumns, pageNames);
const readSource = rowReader(pageColumns, sourceNames);
const readSite = rowReader(pageColumns, siteNames);
const readBasics = rowReader(pageColumns, basicNames);
const readChild = rowReader(pageColumns, childNames);
const readFields = rowReader(pageColumns, fieldNames);
const readListed = rowReader(pageColumns, listedNames);
const readCatchAll = rowReader(pageColumns, catchAllNames);
const readRedirect = rowReader(redirectColumns, redirectNames);
const readSnippet = rowReader(snippetColumns, snippetNames);
const readAssetRef = rowReader(assetColumns, assetRefNames);
const readAsset = rowReader(assetColumns, assetNames);
const readFile = rowReader(fileColumns, fileNames);
const readOwnAsset = rowReader(ownAssetColumns, columnNames(ownAssetColumns));
const readVersion = rowReader(versionColumns, columnNames(versionColumns));

const listedPages =
  'pages WHERE root_id = ? AND published = 1 AND sitemap_exclude = 0 AND noindex = 0 AND id <> ?';

const versionsQuery = `
  SELECT v.id, v.root_id, v.translation_group, v.path, v.title, coalesce(${chosenLangSql('v.id')}, '')
  FROM pages v WHERE v.published = 1`;

/** One walk from the home page down, so that each page costs one step whatever its depth. */
const languagesQuery = `
  WITH RECURSIVE tree (id, lang, published) AS (
    SELECT id, lang, published FROM pages WHERE id = ?
    UNION ALL
    SELECT p.id, CASE p.lang WHEN '' THEN tree.lang ELSE p.lang END, p.published
    FROM pages p JOIN tree ON p.parent_id = tree.id
  )
  SELECT DISTINCT lang FROM tree WHERE published = 1`;

function select(names: readonly string[], from: string): string {
  return `SELECT ${names.join(', ')} FROM ${from}`;
}

function maybe<T>(row: Row | undefined, read: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : read(row);
}
