import { sql } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    site_domains: { domain: string; root_id: number };
  }
}

const pages = contentTable('pages');
const siteDomains = contentTable('site_domains');

/** A page, read as the home page of a website. For other pages `parent_id` is not null. */
export const findHomePage = pages.findBy(['id'], ['id', 'parent_id', 'title', 'domains']);

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
    .orderBy('id'),
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

const deleteDomains = siteDomains.removeBy('root_id');

const insertDomain = siteDomains.insert('root_id', 'domain');
