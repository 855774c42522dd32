import { sql } from 'kysely';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';

/** What websites have to share out among them: domains and the default flag. */

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
