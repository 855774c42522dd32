import { type Selectable, sql } from 'kysely';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb, PagesTable } from '../db/tables.ts';
import type { SitemapSource, StoredPage, StoredPageSummary } from './model.ts';

export async function findPage(db: ContentDb, id: number): Promise<StoredPage | undefined> {
  const row = await selectPage.first(db, { id });
  return row === undefined ? undefined : fromRow(row);
}

/** All pages without `html` and `head`, by parent and position; home pages first. */
export async function listPages(db: ContentDb): Promise<StoredPageSummary[]> {
  return (await selectPages.all(db, {})).map(fromRow);
}

/** Stores a new page and answers with its ID; a home page becomes its own `root_id`. */
export async function insertPage(db: ContentDb, page: Omit<StoredPage, 'id'>): Promise<number> {
  const row = await insert.first(db, toRow(page));
  const id = row?.id ?? 0;
  if (page.parent_id === null) await setRoot.run(db, { id });
  return id;
}

/** Writes everything a client may change; place in the tree is written by the functions below. */
export async function updatePage(db: ContentDb, page: StoredPage): Promise<void> {
  await update.run(db, { ...toRow(page), id: page.id });
}

const summaryColumns = [
  'id',
  'parent_id',
  'root_id',
  'slug',
  'path',
  'sort',
  'title',
  'meta_title',
  'description',
  'html_attrs',
  'body_attrs',
  'lang',
  'translation_group',
  'published',
  'catch_all',
  'no_cache',
  'sitemap_exclude',
  'noindex',
  'nofollow',
  'hide_in_nav',
  'sitemap_source',
  'source_url',
  'import_root',
  'local_modified',
  'domains',
  'default_site',
  'notfound_page_id',
  'og_image_file_id',
  'favicon_file_id',
  'robots_txt',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof PagesTable)[];

const selectPage = contentQuery((db, p: { id: number }) =>
  db.selectFrom('pages').selectAll().where('id', '=', p.id),
);

const selectPages = contentQuery((db, _p: object) =>
  db
    .selectFrom('pages')
    .select(summaryColumns)
    .orderBy(sql`coalesce(parent_id, 0)`)
    .orderBy('sort')
    .orderBy('id'),
);

type PageRow = Selectable<PagesTable>;
type WrittenRow = Omit<PageRow, 'id'>;

const insert = contentQuery((db, p: WrittenRow) =>
  db
    .insertInto('pages')
    .values({
      ...writtenColumns(p),
      parent_id: p.parent_id,
      root_id: p.root_id,
      path: p.path,
      sort: p.sort,
      created_at: p.created_at,
    })
    .returning('id'),
);

const update = contentQuery((db, p: WrittenRow & { id: number }) =>
  db.updateTable('pages').set(writtenColumns(p)).where('id', '=', p.id),
);

/** The columns a save may change. Spelt out, because a prepared query sees markers and not values. */
function writtenColumns(p: WrittenRow) {
  return {
    slug: p.slug,
    title: p.title,
    meta_title: p.meta_title,
    html: p.html,
    head: p.head,
    description: p.description,
    html_attrs: p.html_attrs,
    body_attrs: p.body_attrs,
    lang: p.lang,
    published: p.published,
    catch_all: p.catch_all,
    no_cache: p.no_cache,
    sitemap_exclude: p.sitemap_exclude,
    noindex: p.noindex,
    nofollow: p.nofollow,
    hide_in_nav: p.hide_in_nav,
    sitemap_source: p.sitemap_source,
    local_modified: p.local_modified,
    domains: p.domains,
    default_site: p.default_site,
    notfound_page_id: p.notfound_page_id,
    og_image_file_id: p.og_image_file_id,
    favicon_file_id: p.favicon_file_id,
    robots_txt: p.robots_txt,
    updated_at: p.updated_at,
  };
}

const setRoot = contentQuery((db, p: { id: number }) =>
  db.updateTable('pages').set({ root_id: p.id }).where('id', '=', p.id),
);

type FlagName =
  | 'published'
  | 'catch_all'
  | 'no_cache'
  | 'sitemap_exclude'
  | 'noindex'
  | 'nofollow'
  | 'hide_in_nav'
  | 'local_modified'
  | 'default_site';
type FromRow<Row> = Omit<Row, FlagName | 'sitemap_source'> &
  Record<FlagName, boolean> & { sitemap_source: SitemapSource | null };

function fromRow<Row extends Pick<PageRow, FlagName | 'sitemap_source'>>(row: Row): FromRow<Row> {
  return {
    ...row,
    published: row.published !== 0,
    catch_all: row.catch_all !== 0,
    no_cache: row.no_cache !== 0,
    sitemap_exclude: row.sitemap_exclude !== 0,
    noindex: row.noindex !== 0,
    nofollow: row.nofollow !== 0,
    hide_in_nav: row.hide_in_nav !== 0,
    local_modified: row.local_modified !== 0,
    default_site: row.default_site !== 0,
    sitemap_source: row.sitemap_source === null ? null : JSON.parse(row.sitemap_source),
  };
}

function toRow(page: Omit<StoredPage, 'id'>): WrittenRow {
  return {
    ...page,
    published: Number(page.published),
    catch_all: Number(page.catch_all),
    no_cache: Number(page.no_cache),
    sitemap_exclude: Number(page.sitemap_exclude),
    noindex: Number(page.noindex),
    nofollow: Number(page.nofollow),
    hide_in_nav: Number(page.hide_in_nav),
    local_modified: Number(page.local_modified),
    default_site: Number(page.default_site),
    sitemap_source: page.sitemap_source === null ? null : JSON.stringify(page.sitemap_source),
  };
}
