import { sql } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    site_domains: { domain: string; root_id: number };
  }
}

/** A page, read as the home page of a website. For other pages `parent_id` is not null. */
export interface HomePageRow {
  readonly id: number;
  readonly parent_id: number | null;
  readonly title: string;
  readonly domains: string;
}

export function findHomePage(db: ContentDb, id: number): Promise<HomePageRow | undefined> {
  return selectHomePage.first(db, { id });
}

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
  return (await selectFavicon.first(db, { siteId }))?.favicon_file_id ?? 0;
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

const selectHomePage = contentQuery((db, p: { id: number }) =>
  db.selectFrom('pages').select(['id', 'parent_id', 'title', 'domains']).where('id', '=', p.id),
);

const selectFavicon = contentQuery((db, p: { siteId: number }) =>
  db.selectFrom('pages').select('favicon_file_id').where('id', '=', p.siteId),
);

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

const selectDomain = contentQuery((db, p: { domain: string }) =>
  db.selectFrom('site_domains').select('root_id').where('domain', '=', p.domain),
);

const deleteDomains = contentQuery((db, p: { rootId: number }) =>
  db.deleteFrom('site_domains').where('root_id', '=', p.rootId),
);

const insertDomain = contentQuery((db, p: { rootId: number; domain: string }) =>
  db.insertInto('site_domains').values({ root_id: p.rootId, domain: p.domain }),
);
