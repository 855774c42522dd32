import { type ExpressionBuilder, sql } from 'kysely';
import { chosenLangSql } from '../../../../runtime/content/language.ts';
import { inSubtree, type Subtree, type SubtreeRange, subtreeRange } from '../../../content/sites/subtree.ts';
import { computeNextUpdate } from '../../../db/object-table.ts';
import { contentQuery } from '../../../db/prepared.ts';
import type { ContentDb, ContentTables } from '../../../db/tables.ts';

/** A page as a member of a translation group. */
export interface GroupMember {
  readonly id: number;
  readonly root_id: number;
  readonly title: string;
  readonly path: string;
  readonly published: number;
  /** Own language or that of the nearest page above that has one; null if none has one. */
  readonly lang: string | null;
}

/** The pages of a group by ID; none for the empty group, which stands for no group. */
export function listMembers(db: ContentDb, group: string): Promise<GroupMember[]> {
  return group === '' ? Promise.resolve([]) : selectMembers.all(db, { group });
}

/** The groups that the pages of a subtree are in. */
export async function listGroupsBelow(db: ContentDb, subtree: Subtree): Promise<string[]> {
  const rows = await selectGroups.all(db, subtreeRange(subtree));
  return rows.map((row) => row.translation_group);
}

/** Puts a page into a group; an empty `group` takes the page out of its group. */
export async function setGroup(db: ContentDb, id: number, group: string, now: number): Promise<void> {
  await updateGroup.run(db, { id, group, now });
}

/** Dissolves every group that has only one page left. */
export async function dissolveSingles(db: ContentDb, now: number): Promise<void> {
  await clearSingles.run(db, { now });
}

/** Dissolves a group that has only one page left. */
export async function dissolveSingle(db: ContentDb, group: string, now: number): Promise<void> {
  const [single, ...others] = await selectGroup.all(db, { group });
  if (single !== undefined && others.length === 0) await setGroup(db, single.id, '', now);
}

/** The own or inherited language. The default language does not count for language versions. */
function chosenLang() {
  return sql<string | null>`${sql.raw(chosenLangSql('pages.id'))}`;
}

const selectMembers = contentQuery((db, p: { group: string }) =>
  db
    .selectFrom('pages')
    .select(['id', 'root_id', 'title', 'path', 'published', chosenLang().as('lang')])
    .where('translation_group', '=', p.group)
    .orderBy('id'),
);

const selectGroup = contentQuery((db, p: { group: string }) =>
  db.selectFrom('pages').select('id').where('translation_group', '=', p.group).limit(2),
);

const selectGroups = contentQuery((db, p: SubtreeRange) =>
  db
    .selectFrom('pages')
    .select('translation_group')
    .distinct()
    .where('translation_group', '<>', '')
    .where((where) => inSubtree(where, p)),
);

const updateGroup = contentQuery((db, p: { id: number; group: string; now: number }) =>
  db
    .updateTable('pages')
    .set({ translation_group: p.group, updated_at: computeNextUpdate(p.now) })
    .where('id', '=', p.id),
);

const clearSingles = contentQuery((db, p: { now: number }) =>
  db
    .updateTable('pages')
    .set({ translation_group: '', updated_at: computeNextUpdate(p.now) })
    .where('translation_group', '<>', '')
    .where(({ not, exists, selectFrom }) => not(exists(others(selectFrom)))),
);

function others(selectFrom: ExpressionBuilder<ContentTables, 'pages'>['selectFrom']) {
  return selectFrom('pages as other')
    .select('other.id')
    .whereRef('other.translation_group', '=', 'pages.translation_group')
    .whereRef('other.id', '<>', 'pages.id');
}
