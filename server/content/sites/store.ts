import { sql } from 'kysely';
import { computeNextUpdate } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';
import { inSubtree, type Subtree, type SubtreeRange, subtreeRange } from './subtree.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    site_domains: { domain: string; root_id: number };
  }
}

const pages = contentTable('pages');
const siteDomains = contentTable('site_domains');

/** Whether any website is the default one. */
export const hasDefaultSite = async (db: ContentDb): Promise<boolean> => isDefault(db, 1);

const isDefault = pages.existsBy('default_site');

/** A page, read as the home page of a website. For other pages `parent_id` is not null. */
export const findHomePage = pages.findBy(['id'], ['id', 'parent_id', 'title', 'domains', 'updated_at']);

export async function clearDefaultSite(db: ContentDb, exceptId: number, now: number): Promise<void> {
  await clearDefault.run(db, { exceptId, now });
}

/** The domains of all websites, oldest website first. */
export async function listDomains(
  db: ContentDb,
): Promise<{ readonly id: number; readonly domains: string; readonly default_site: boolean }[]> {
  const rows = await selectHomePages.all(db, {});
  return rows.map((row) => ({ ...row, default_site: row.default_site !== 0 }));
}

/** The home pages of all websites, oldest website first. */
export async function listHomePages(db: ContentDb): Promise<
  {
    readonly id: number;
    readonly title: string;
    readonly lang: string;
    readonly domains: string;
    readonly default_site: boolean;
  }[]
> {
  const rows = await selectSites.all(db, {});
  return rows.map((row) => ({ ...row, default_site: row.default_site !== 0 }));
}

/** The icon of a website: ID of a file, 0 for none. */
export async function findFavicon(db: ContentDb, siteId: number): Promise<number> {
  return (await selectFavicon(db, siteId))?.favicon_file_id ?? 0;
}

/** The website a domain belongs to. */
export const findDomainOwner = siteDomains.findCellBy(['domain'], 'root_id');

export async function replaceDomains(
  db: ContentDb,
  rootId: number,
  domains: readonly string[],
): Promise<void> {
  await deleteDomains(db, rootId);
  for (const domain of domains) await insertDomain(db, { root_id: rootId, domain });
}

const selectFavicon = pages.findBy(['id'], ['favicon_file_id']);

const selectHomePages = contentQuery((db, _p: object) =>
  db
    .selectFrom('pages')
    .select(['id', 'domains', 'default_site'])
    .where('parent_id', 'is', null)
    .orderBy('id'),
);

const selectSites = contentQuery((db, _p: object) =>
  db
    .selectFrom('pages')
    .select(['id', 'title', 'lang', 'domains', 'default_site'])
    .where('parent_id', 'is', null)
    // Not those of which the caller may see only where they stand.
    .where('updated_at', '>', 0)
    .orderBy('id'),
);

const clearDefault = contentQuery((db, p: { exceptId: number; now: number }) =>
  db
    .updateTable('pages')
    .set({
      default_site: 0,
      updated_at: computeNextUpdate(p.now),
    })
    .where('default_site', '=', 1)
    .where('id', '<>', p.exceptId),
);

const deleteDomains = siteDomains.removeBy('root_id');

const insertDomain = siteDomains.insert('root_id', 'domain');

/** The path of a page or draft on its website. */
export interface PagePath {
  readonly path: string;
  readonly published: boolean;
  readonly catchAll: boolean;
}

/** The ID of the page at a path of a website. */
export async function findIdAt(db: ContentDb, rootId: number, path: string): Promise<number | undefined> {
  return (await selectByPath.first(db, { rootId, path }))?.id;
}

/** Whether a website has a page at a path. */
export async function isPagePath(db: ContentDb, rootId: number, path: string): Promise<boolean> {
  return (await selectByPath.first(db, { rootId, path })) !== undefined;
}

/** The paths of the published catch-all pages of a website, which answer for every path below theirs. */
export async function listCatchAllPaths(db: ContentDb, rootId: number): Promise<string[]> {
  return (await selectCatchAll.all(db, { rootId })).map((row) => row.path);
}

/** The paths of a page and all pages below it, its own path first. */
export async function listPathsOfSubtree(db: ContentDb, subtree: Subtree): Promise<PagePath[]> {
  return (await selectPathsOfSubtree.all(db, subtreeRange(subtree))).map(toPagePath);
}

function toPagePath(row: { path: string; published: number; catch_all: number }): PagePath {
  return { path: row.path, published: row.published !== 0, catchAll: row.catch_all !== 0 };
}

const selectByPath = contentQuery((db, p: { rootId: number; path: string }) =>
  db.selectFrom('pages').select('id').where('root_id', '=', p.rootId).where('path', '=', p.path),
);

/** The 1 is part of the text, or SQLite could not use the index of catch-all pages. */
const selectCatchAll = contentQuery((db, p: { rootId: number }) =>
  db
    .selectFrom('pages')
    .select('path')
    .where('root_id', '=', p.rootId)
    .where('catch_all', '=', sql.lit(1))
    .where('published', '=', 1),
);

const selectPathsOfSubtree = contentQuery((db, p: SubtreeRange) =>
  db
    .selectFrom('pages')
    .select(['path', 'published', 'catch_all'])
    .where((where) => inSubtree(where, p))
    .orderBy('path'),
);

/** IDs of a page and of all pages above it, from the page upwards; empty if there is none. */
export async function listIdsAbove(db: ContentDb, pageId: number): Promise<number[]> {
  return (await selectAbove.all(db, { pageId })).map(({ id }) => id);
}

const selectAbove = contentQuery((db, p: { pageId: number }) =>
  db
    .withRecursive('above', (cte) =>
      cte
        .selectFrom('pages')
        .select(['pages.id', 'pages.parent_id'])
        .where('pages.id', '=', p.pageId)
        .unionAll(
          cte
            .selectFrom('pages')
            .innerJoin('above', 'above.parent_id', 'pages.id')
            .select(['pages.id', 'pages.parent_id']),
        ),
    )
    .selectFrom('above')
    .select('above.id'),
);
