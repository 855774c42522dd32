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

/** Whether a child of `parentId` other than `exceptId` has this slug. */
export async function isSlugTaken(
  db: ContentDb,
  parentId: number,
  slug: string,
  exceptId: number,
): Promise<boolean> {
  return (await selectBySlug.first(db, { parentId, slug, exceptId })) !== undefined;
}

/** The position after the last child of a page. */
export async function nextPosition(db: ContentDb, parentId: number): Promise<number> {
  const last = await selectLastPosition.first(db, { parentId });
  return last?.sort === undefined || last.sort === null ? 0 : last.sort + 1;
}

/** IDs of the children of a page in their order. */
export async function listChildIds(db: ContentDb, parentId: number): Promise<number[]> {
  return (await selectChildren.all(db, { parentId })).map((row) => row.id);
}

/** The language of the nearest page from `id` upwards that has one of its own. */
export async function findInheritedLang(db: ContentDb, id: number): Promise<string | undefined> {
  return (await selectInheritedLang.first(db, { id }))?.lang;
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

/** Puts a page under another parent; its own path and that of its subpages by {@link movePaths}. */
export async function setPlace(
  db: ContentDb,
  id: number,
  parentId: number,
  updatedAt: number,
): Promise<void> {
  await updatePlace.run(db, { id, parentId, updatedAt });
}

export async function setPosition(db: ContentDb, id: number, sort: number): Promise<void> {
  await updatePosition.run(db, { id, sort });
}

/** A subtree by its root's place: website and path. */
export interface Subtree {
  readonly rootId: number;
  readonly path: string;
}

/** Gives a page and all below it the paths of their new place. */
export async function movePaths(db: ContentDb, from: Subtree, to: Subtree): Promise<void> {
  await updatePaths.run(db, {
    ...range(from),
    newRoot: to.rootId,
    newPath: to.path,
    restFrom: characters(from.path) + 1,
  });
}

/** Deletes a page that is not a home page, with all below it. */
export async function deleteSubtree(db: ContentDb, subtree: Subtree): Promise<void> {
  await deletePaths.run(db, range(subtree));
}

export async function deleteSite(db: ContentDb, rootId: number): Promise<void> {
  await deletePagesOfSite.run(db, { rootId });
}

/** Websites whose 404 page is no page of theirs any more fall back to the automatic one. */
export async function clearLostNotFoundPages(db: ContentDb): Promise<void> {
  await clearNotFound.run(db, {});
}

/** Takes the default flag from every website but one. */
export async function clearDefaultSite(db: ContentDb, exceptId: number, now: number): Promise<void> {
  await clearDefault.run(db, { exceptId, now });
}

/** The website a domain belongs to. */
export async function findDomainOwner(db: ContentDb, domain: string): Promise<number | undefined> {
  return (await selectDomain.first(db, { domain }))?.root_id;
}

export async function replaceDomains(
  db: ContentDb,
  rootId: number,
  domains: readonly string[],
): Promise<void> {
  await deleteDomains.run(db, { rootId });
  for (const domain of domains) await insertDomain.run(db, { rootId, domain });
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

const selectBySlug = contentQuery((db, p: { parentId: number; slug: string; exceptId: number }) =>
  db
    .selectFrom('pages')
    .select('id')
    .where('parent_id', '=', p.parentId)
    .where('slug', '=', p.slug)
    .where('id', '<>', p.exceptId),
);

const selectLastPosition = contentQuery((db, p: { parentId: number }) =>
  db
    .selectFrom('pages')
    .select((expression) => expression.fn.max<number | null>('sort').as('sort'))
    .where('parent_id', '=', p.parentId),
);

const selectChildren = contentQuery((db, p: { parentId: number }) =>
  db.selectFrom('pages').select('id').where('parent_id', '=', p.parentId).orderBy('sort').orderBy('id'),
);

const selectInheritedLang = contentQuery((db, p: { id: number }) =>
  db
    .withRecursive('above', (cte) =>
      cte
        .selectFrom('pages')
        .select(['pages.parent_id', 'pages.lang', sql<number>`0`.as('distance')])
        .where('pages.id', '=', p.id)
        .unionAll(
          cte
            .selectFrom('pages')
            .innerJoin('above', 'above.parent_id', 'pages.id')
            .select(['pages.parent_id', 'pages.lang', sql<number>`above.distance + 1`.as('distance')]),
        ),
    )
    .selectFrom('above')
    .select('lang')
    .where('lang', '<>', '')
    .orderBy('distance')
    .limit(1),
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

const updatePlace = contentQuery((db, p: { id: number; parentId: number; updatedAt: number }) =>
  db.updateTable('pages').set({ parent_id: p.parentId, updated_at: p.updatedAt }).where('id', '=', p.id),
);

const updatePosition = contentQuery((db, p: { id: number; sort: number }) =>
  db.updateTable('pages').set({ sort: p.sort }).where('id', '=', p.id).where('sort', '<>', p.sort),
);

/** A subtree as an index range: everything below `/a` lies between `/a/` and `/a0`, `0` being what follows `/`. */
interface PathRange {
  readonly rootId: number;
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

function range({ rootId, path }: Subtree): PathRange {
  return { rootId, path, from: `${path}/`, to: `${path}0` };
}

/** Slugs are ASCII, so that characters and UTF-16 units are the same. */
function characters(path: string): number {
  return path.length;
}

const updatePaths = contentQuery(
  (db, p: PathRange & { newRoot: number; newPath: string; restFrom: number }) =>
    db
      .updateTable('pages')
      .set({ root_id: p.newRoot, path: sql<string>`${p.newPath} || substr(path, ${p.restFrom})` })
      .where('root_id', '=', p.rootId)
      .where((where) =>
        where.or([
          where('path', '=', p.path),
          where.and([where('path', '>=', p.from), where('path', '<', p.to)]),
        ]),
      ),
);

const deletePaths = contentQuery((db, p: PathRange) =>
  db
    .deleteFrom('pages')
    .where('root_id', '=', p.rootId)
    .where((where) =>
      where.or([
        where('path', '=', p.path),
        where.and([where('path', '>=', p.from), where('path', '<', p.to)]),
      ]),
    ),
);

const deletePagesOfSite = contentQuery((db, p: { rootId: number }) =>
  db.deleteFrom('pages').where('root_id', '=', p.rootId),
);

const clearNotFound = contentQuery((db, _p: object) =>
  db
    .updateTable('pages')
    .set({ notfound_page_id: 0 })
    .where('notfound_page_id', '<>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pages as target')
            .select('target.id')
            .whereRef('target.id', '=', 'pages.notfound_page_id')
            .whereRef('target.root_id', '=', 'pages.root_id'),
        ),
      ),
    ),
);

const clearDefault = contentQuery((db, p: { exceptId: number; now: number }) =>
  db
    .updateTable('pages')
    .set({
      default_site: 0,
      updated_at: sql<number>`case when updated_at < ${p.now} then ${p.now} else updated_at + 1 end`,
    })
    .where('default_site', '=', 1)
    .where('id', '<>', p.exceptId),
);

const selectDomain = contentQuery((db, p: { domain: string }) =>
  db.selectFrom('site_domains').select('root_id').where('domain', '=', p.domain),
);

const deleteDomains = contentQuery((db, p: { rootId: number }) =>
  db.deleteFrom('site_domains').where('root_id', '=', p.rootId),
);

const insertDomain = contentQuery((db, p: { rootId: number; domain: string }) =>
  db.insertInto('site_domains').values({ root_id: p.rootId, domain: p.domain }),
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
