import Database from 'better-sqlite3';
import type {
  AssetRecord,
  AssetRef,
  ContentReader,
  PageFields,
  PageRecord,
  PageSummary,
  VersionRecord,
} from './content.ts';

/**
 * The content as SQLite holds it, read synchronously on a read-only connection.
 *
 * Statements run in raw mode: the driver would otherwise build its row objects with code made from strings,
 * which the process forbids. A row is therefore a list, and the small readers below turn its cells into fields,
 * refusing a cell of another type than the schema promises.
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
  const sites = prepare<[]>(`SELECT ${PAGE_COLUMNS} FROM pages WHERE parent_id IS NULL ORDER BY id`);
  const pageById = prepare<[number]>(`SELECT ${PAGE_COLUMNS} FROM pages WHERE id = ?`);
  const fieldsById = prepare<[number]>(`SELECT ${FIELD_COLUMNS} FROM pages WHERE id = ?`);
  const pageByPath = prepare<[number, string]>(
    `SELECT ${PAGE_COLUMNS} FROM pages WHERE root_id = ? AND path = ?`,
  );
  const catchAll = prepare<[number]>(
    'SELECT id, path, published FROM pages WHERE root_id = ? AND catch_all = 1',
  );
  const pagesOfSite = prepare<[number]>(
    `SELECT ${SUMMARY_COLUMNS} FROM pages WHERE root_id = ? ORDER BY parent_id, sort, id`,
  );
  const redirect = prepare<[number, string]>(
    'SELECT id, target, status FROM redirects WHERE root_id = ? AND source = ?',
  );
  const snippet = prepare<[string]>('SELECT id, name, content FROM snippets WHERE name = ?');
  const versions = prepare<[string]>(`${VERSIONS} AND v.translation_group = ?`);
  const versionsOfSite = prepare<[number]>(
    `${VERSIONS} AND v.translation_group IN
      (SELECT translation_group FROM pages WHERE root_id = ? AND translation_group <> '')`,
  );
  const assetsOfPage = prepare<[number]>(assetsOfLine('line.up = 0 OR x.inherit = 1'));
  const inheritedAssets = prepare<[number]>(assetsOfLine('line.up > 0 AND x.inherit = 1'));
  const assetsOfSnippet = prepare<[string]>(
    `SELECT a.id, a.kind, a.updated_at FROM snippets s
     JOIN snippet_assets x ON x.snippet_id = s.id JOIN assets a ON a.id = x.asset_id
     WHERE s.name = ? ORDER BY x.position`,
  );
  const asset = prepare<[number]>('SELECT id, kind, updated_at, name, content FROM assets WHERE id = ?');

  return {
    async snapshot(work) {
      begin.run();
      try {
        // Reading the version is also what opens the snapshot: BEGIN alone reads nothing yet.
        return await work(integer(revisionOf.get() ?? [], 0));
      } finally {
        end.run();
      }
    },
    sites: () => sites.all().map(toPage),
    page: (id) => maybe(pageById.get(id), toPage),
    pageFields: (id) => maybe(fieldsById.get(id), toFields),
    pageByPath: (rootId, path) => maybe(pageByPath.get(rootId, path), toPage),
    catchAllPages: (rootId) =>
      catchAll
        .all(rootId)
        .map((row) => ({ id: integer(row, 0), path: text(row, 1), published: flag(row, 2) })),
    pagesOfSite: (rootId) => pagesOfSite.all(rootId).map(toSummary),
    redirect: (rootId, source) =>
      maybe(redirect.get(rootId, source), (row) => ({
        id: integer(row, 0),
        target: text(row, 1),
        status: integer(row, 2) === 302 ? 302 : 301,
      })),
    snippet: (name) =>
      maybe(snippet.get(name), (row) => ({ id: integer(row, 0), name: text(row, 1), content: text(row, 2) })),
    versions: (group) => versions.all(group).map(toVersion),
    versionsOfSite: (rootId) => versionsOfSite.all(rootId).map(toVersion),
    assetsOfPage: (pageId) => assetsOfPage.all(pageId).map(toAssetRef),
    inheritedAssets: (pageId) => inheritedAssets.all(pageId).map(toAssetRef),
    assetsOfSnippet: (name) => assetsOfSnippet.all(name).map(toAssetRef),
    asset: (id) => maybe(asset.get(id), toAsset),
    close: () => {
      db.close();
    },
  };
}

type Row = readonly unknown[];

const FIELD_COLUMNS = `id, parent_id, root_id, slug, path, sort, title, meta_title, description, html_attrs,
  body_attrs, lang, translation_group, published, catch_all, no_cache, sitemap_exclude, noindex, nofollow,
  hide_in_nav, domains, default_site, notfound_page_id, og_image_file_id, favicon_file_id, robots_txt,
  source_url, import_root, local_modified, created_at, updated_at`;

const PAGE_COLUMNS = `${FIELD_COLUMNS}, html, head`;

const SUMMARY_COLUMNS = `id, parent_id, root_id, slug, path, sort, title, lang, published, catch_all,
  sitemap_exclude, noindex, hide_in_nav, translation_group, updated_at`;

// `up` counts from the page (0) to the home page, so that sorting it downwards loads the home page's files first.
const assetsOfLine = (which: string) => `
  WITH RECURSIVE line (id, parent_id, up) AS (
    SELECT id, parent_id, 0 FROM pages WHERE id = ?
    UNION ALL
    SELECT p.id, p.parent_id, line.up + 1 FROM pages p JOIN line ON p.id = line.parent_id
  )
  SELECT a.id, a.kind, a.updated_at FROM line
  JOIN page_assets x ON x.page_id = line.id JOIN assets a ON a.id = x.asset_id
  WHERE ${which}
  ORDER BY line.up DESC, x.position`;

function toFields(row: Row): PageFields {
  return {
    id: integer(row, 0),
    parent_id: row[1] === null ? null : integer(row, 1),
    root_id: integer(row, 2),
    slug: text(row, 3),
    path: text(row, 4),
    sort: integer(row, 5),
    title: text(row, 6),
    meta_title: text(row, 7),
    description: text(row, 8),
    html_attrs: text(row, 9),
    body_attrs: text(row, 10),
    lang: text(row, 11),
    translation_group: text(row, 12),
    published: flag(row, 13),
    catch_all: flag(row, 14),
    no_cache: flag(row, 15),
    sitemap_exclude: flag(row, 16),
    noindex: flag(row, 17),
    nofollow: flag(row, 18),
    hide_in_nav: flag(row, 19),
    domains: text(row, 20),
    default_site: flag(row, 21),
    notfound_page_id: integer(row, 22),
    og_image_file_id: integer(row, 23),
    favicon_file_id: integer(row, 24),
    robots_txt: text(row, 25),
    source_url: text(row, 26),
    import_root: integer(row, 27),
    local_modified: flag(row, 28),
    created_at: integer(row, 29),
    updated_at: integer(row, 30),
  };
}

function toPage(row: Row): PageRecord {
  return { ...toFields(row), html: text(row, 31), head: text(row, 32) };
}

function toSummary(row: Row): PageSummary {
  return {
    id: integer(row, 0),
    parent_id: row[1] === null ? null : integer(row, 1),
    root_id: integer(row, 2),
    slug: text(row, 3),
    path: text(row, 4),
    sort: integer(row, 5),
    title: text(row, 6),
    lang: text(row, 7),
    published: flag(row, 8),
    catch_all: flag(row, 9),
    sitemap_exclude: flag(row, 10),
    noindex: flag(row, 11),
    hide_in_nav: flag(row, 12),
    translation_group: text(row, 13),
    updated_at: integer(row, 14),
  };
}

// The language is that of the nearest page upwards that has one.
const VERSIONS = `
  SELECT v.root_id, v.translation_group, v.path, coalesce((
    WITH RECURSIVE line (parent_id, lang, up) AS (
      SELECT own.parent_id, own.lang, 0 FROM pages own WHERE own.id = v.id
      UNION ALL
      SELECT p.parent_id, p.lang, line.up + 1 FROM pages p JOIN line ON p.id = line.parent_id
    )
    SELECT lang FROM line WHERE lang <> '' ORDER BY up LIMIT 1
  ), '')
  FROM pages v WHERE v.published = 1`;

function toVersion(row: Row): VersionRecord {
  return {
    root_id: integer(row, 0),
    translation_group: text(row, 1),
    path: text(row, 2),
    lang: text(row, 3),
  };
}

function toAssetRef(row: Row): AssetRef {
  const kind = row[1];
  if (kind !== 'css' && kind !== 'js') throw new TypeError(`asset ${row[0]} is of unknown kind ${kind}`);
  return { id: integer(row, 0), kind, updated_at: integer(row, 2) };
}

function toAsset(row: Row): AssetRecord {
  return { ...toAssetRef(row), name: text(row, 3), content: text(row, 4) };
}

function maybe<T>(row: Row | undefined, read: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : read(row);
}

function integer(row: Row, index: number): number {
  const cell = row[index];
  if (typeof cell !== 'number') throw new TypeError(`column ${index} is ${typeof cell}, expected a number`);
  return cell;
}

function text(row: Row, index: number): string {
  const cell = row[index];
  if (typeof cell !== 'string') throw new TypeError(`column ${index} is ${typeof cell}, expected text`);
  return cell;
}

function flag(row: Row, index: number): boolean {
  return integer(row, index) !== 0;
}
