import { type ExpressionBuilder, sql } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb, ContentTables } from '../../db/tables.ts';

/** A page as a member of a translation group. */
export interface Member {
  readonly id: number;
  readonly root_id: number;
  readonly title: string;
  readonly path: string;
  readonly published: number;
  /** Own language or that of the nearest page above that has one; null where none of them has. */
  readonly lang: string | null;
}

/** The pages of a group by ID; none for the empty group, which stands for no group. */
export function listMembers(db: ContentDb, group: string): Promise<Member[]> {
  return group === '' ? Promise.resolve([]) : selectMembers.all(db, { group });
}

/** The groups that the pages of a subtree are in. */
export async function listGroupsBelow(db: ContentDb, rootId: number, path: string): Promise<string[]> {
  const from = path === '/' ? '/' : `${path}/`;
  const to = path === '/' ? '0' : `${path}0`;
  const rows = await selectGroups.all(db, { rootId, path, from, to });
  return rows.map((row) => row.translation_group);
}

/** Puts a page into a group, or with an empty one out of its own. */
export async function setGroup(db: ContentDb, id: number, group: string, now: number): Promise<void> {
  await updateGroup.run(db, { id, group, now });
}

/** Takes the last page out of every group that has lost its others. */
export async function dissolveSingles(db: ContentDb, now: number): Promise<void> {
  await clearSingles.run(db, { now });
}

/** The language as Core, "Page", `effective_lang` finds it, without the default. */
function inheritedLang() {
  return sql<string | null>`(
    with recursive above (parent_id, lang, distance) as (
      select own.parent_id, own.lang, 0 from pages own where own.id = pages.id
      union all
      select up.parent_id, up.lang, above.distance + 1 from pages up join above on up.id = above.parent_id
    )
    select above.lang from above where above.lang <> '' order by above.distance limit 1
  )`;
}

const selectMembers = contentQuery((db, p: { group: string }) =>
  db
    .selectFrom('pages')
    .select(['id', 'root_id', 'title', 'path', 'published', inheritedLang().as('lang')])
    .where('translation_group', '=', p.group)
    .orderBy('id'),
);

const selectGroups = contentQuery((db, p: { rootId: number; path: string; from: string; to: string }) =>
  db
    .selectFrom('pages')
    .select('translation_group')
    .distinct()
    .where('root_id', '=', p.rootId)
    .where('translation_group', '<>', '')
    .where((where) =>
      where.or([
        where('path', '=', p.path),
        where.and([where('path', '>=', p.from), where('path', '<', p.to)]),
      ]),
    ),
);

const updateGroup = contentQuery((db, p: { id: number; group: string; now: number }) =>
  db
    .updateTable('pages')
    .set({ translation_group: p.group, updated_at: later(p.now) })
    .where('id', '=', p.id),
);

const clearSingles = contentQuery((db, p: { now: number }) =>
  db
    .updateTable('pages')
    .set({ translation_group: '', updated_at: later(p.now) })
    .where('translation_group', '<>', '')
    .where(({ not, exists, selectFrom }) => not(exists(others(selectFrom)))),
);

/** `updated_at` grows by at least one second with every change (open points 11). */
function later(now: number) {
  return sql<number>`case when updated_at < ${now} then ${now} else updated_at + 1 end`;
}

function others(selectFrom: ExpressionBuilder<ContentTables, 'pages'>['selectFrom']) {
  return selectFrom('pages as other')
    .select('other.id')
    .whereRef('other.translation_group', '=', 'pages.translation_group')
    .whereRef('other.id', '<>', 'pages.id');
}
