import Database from 'better-sqlite3';
import { type Columns, columnNames, rowReader } from './columns.ts';
import { chosenLangSql } from './language.ts';
import type { ContentReader } from './reader.ts';
import { assetColumns, pageColumns, redirectColumns, snippetColumns } from './tables.ts';

/**
 * The content as SQLite holds it, read synchronously on a read-only connection.
 *
 * Statements run in raw mode: otherwise the driver would build row objects with code made from strings, which
 * the process forbids. A row is therefore a list of cells, and `rowReader` turns the cells into fields.
 *
 * Invariant: every statement is prepared once per connection.
 *
 * @throws if the file does not exist or cannot be read.
 */
export function openSqliteContent(file: string): ContentReader {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  db.pragma('query_only = 1');
  const prepare = <Params extends unknown[]>(sql: string) => db.prepare<Params, Row>(sql).raw();

  const begin = db.prepare('BEGIN');
  const end = db.prepare('COMMIT');
  const revisionOf = prepare<[]>('PRAGMA data_version');
  const sites = prepare<[]>(select(pageNames, 'pages WHERE parent_id IS NULL ORDER BY id'));
  const pageById = prepare<[number]>(select(pageNames, 'pages WHERE id = ?'));
  const fieldsById = prepare<[number]>(select(fieldNames, 'pages WHERE id = ?'));
  const pageByPath = prepare<[number, string]>(select(pageNames, 'pages WHERE root_id = ? AND path = ?'));
  const catchAll = prepare<[number]>(select(catchAllNames, 'pages WHERE root_id = ? AND catch_all = 1'));
  const pagesOfSite = prepare<[number]>(
    select(summaryNames, 'pages WHERE root_id = ? ORDER BY parent_id, sort, id'),
  );
  const redirect = prepare<[number, string]>(
    select(redirectNames, 'redirects WHERE root_id = ? AND source = ?'),
  );
  const snippet = prepare<[string]>(select(snippetNames, 'snippets WHERE name = ?'));
  const versions = prepare<[string]>(`${versionsQuery} AND v.translation_group = ?`);
  const versionsOfSite = prepare<[number]>(
    `${versionsQuery} AND v.translation_group IN
      (SELECT translation_group FROM pages WHERE root_id = ? AND translation_group <> '')`,
  );
  const assetsOfPage = prepare<[number]>(assetsOfLine('line.up = 0 OR x.inherit = 1'));
  const inheritedAssets = prepare<[number]>(assetsOfLine('line.up > 0 AND x.inherit = 1'));
  const assetsOfSnippet = prepare<[string]>(
    `SELECT ${namesOf('a', assetRefNames)} FROM snippets s
     JOIN snippet_assets x ON x.snippet_id = s.id JOIN assets a ON a.id = x.asset_id
     WHERE s.name = ? ORDER BY x.position`,
  );
  const asset = prepare<[number]>(select(assetNames, 'assets WHERE id = ?'));

  return {
    async snapshot(work) {
      begin.run();
      try {
        // The first read opens the snapshot, which BEGIN alone does not.
        return await work(revisionIn(revisionOf.get() ?? []));
      } finally {
        end.run();
      }
    },
    sites: () => sites.all().map(readPage),
    page: (id) => maybe(pageById.get(id), readPage),
    pageFields: (id) => maybe(fieldsById.get(id), readFields),
    pageByPath: (rootId, path) => maybe(pageByPath.get(rootId, path), readPage),
    catchAllPages: (rootId) => catchAll.all(rootId).map(readCatchAll),
    pagesOfSite: (rootId) => pagesOfSite.all(rootId).map(readSummary),
    redirect: (rootId, source) => maybe(redirect.get(rootId, source), readRedirect),
    snippet: (name) => maybe(snippet.get(name), readSnippet),
    versions: (group) => versions.all(group).map(readVersion),
    versionsOfSite: (rootId) => versionsOfSite.all(rootId).map(readVersion),
    assetsOfPage: (pageId) => assetsOfPage.all(pageId).map(readAssetRef),
    inheritedAssets: (pageId) => inheritedAssets.all(pageId).map(readAssetRef),
    assetsOfSnippet: (name) => assetsOfSnippet.all(name).map(readAssetRef),
    asset: (id) => maybe(asset.get(id), readAsset),
    close: () => {
      db.close();
    },
  };
}

type Row = readonly unknown[];

const versionColumns = {
  root_id: 'integer',
  translation_group: 'text',
  path: 'text',
  lang: 'text',
} as const satisfies Columns;

const pageNames = columnNames(pageColumns).filter((name) => name !== 'sitemap_source');
const fieldNames = pageNames.filter((name) => name !== 'html' && name !== 'head');
const summaryNames = [
  'id',
  'parent_id',
  'root_id',
  'slug',
  'path',
  'sort',
  'title',
  'lang',
  'published',
  'catch_all',
  'sitemap_exclude',
  'noindex',
  'hide_in_nav',
  'translation_group',
  'updated_at',
] as const;
const catchAllNames = ['id', 'path', 'published'] as const;
const redirectNames = ['id', 'target', 'status'] as const;
const snippetNames = ['id', 'name', 'content'] as const;
const assetRefNames = ['id', 'kind', 'updated_at'] as const;
const assetNames = [...assetRefNames, 'name', 'content'] as const;

const readPage = rowReader(pageColumns, pageNames);
const readFields = rowReader(pageColumns, fieldNames);
const readSummary = rowReader(pageColumns, summaryNames);
const readCatchAll = rowReader(pageColumns, catchAllNames);
const readRedirect = rowReader(redirectColumns, redirectNames);
const readSnippet = rowReader(snippetColumns, snippetNames);
const readAssetRef = rowReader(assetColumns, assetRefNames);
const readAsset = rowReader(assetColumns, assetNames);
const readVersion = rowReader(versionColumns, columnNames(versionColumns));

const versionsQuery = `
  SELECT v.root_id, v.translation_group, v.path, coalesce(${chosenLangSql('v.id')}, '')
  FROM pages v WHERE v.published = 1`;

// `up` counts from the page (0) to the home page. In descending order the files of the home page load first.
const assetsOfLine = (which: string) => `
  WITH RECURSIVE line (id, parent_id, up) AS (
    SELECT id, parent_id, 0 FROM pages WHERE id = ?
    UNION ALL
    SELECT p.id, p.parent_id, line.up + 1 FROM pages p JOIN line ON p.id = line.parent_id
  )
  SELECT ${namesOf('a', assetRefNames)} FROM line
  JOIN page_assets x ON x.page_id = line.id JOIN assets a ON a.id = x.asset_id
  WHERE ${which}
  ORDER BY line.up DESC, x.position`;

function select(names: readonly string[], from: string): string {
  return `SELECT ${names.join(', ')} FROM ${from}`;
}

function namesOf(table: string, names: readonly string[]): string {
  return names.map((name) => `${table}.${name}`).join(', ');
}

function maybe<T>(row: Row | undefined, read: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : read(row);
}

function revisionIn([revision]: Row): number {
  return Number(revision);
}
