import { sql } from 'kysely';
import { chosenLangSql } from '../../../runtime/content/language.ts';
import { inSubtree, type Subtree, type SubtreeRange, subtreeRange } from '../../content/sites/subtree.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

const pages = contentTable('pages');

/** Queries about the tree of pages, and changes of a page's place in the tree. */

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
  return (await selectChildren(db, parentId)).map((row) => row.id);
}

/** The language of a page, own or inherited; undefined if neither the page nor a page above has one. */
export async function findChosenLang(db: ContentDb, id: number): Promise<string | undefined> {
  return (await selectChosenLang.first(db, { id }))?.lang ?? undefined;
}

/** Puts a page under another parent. {@link movePaths} changes its path and the paths of its subpages. */
export const setPlace = pages.updateBy(['id'], ['parent_id', 'updated_at']);

export async function setPosition(db: ContentDb, id: number, sort: number): Promise<void> {
  await updatePosition.run(db, { id, sort });
}

/** Gives a page and all pages below it the paths of their new place. */
export async function movePaths(db: ContentDb, from: Subtree, to: Subtree): Promise<void> {
  await updatePaths.run(db, {
    ...subtreeRange(from),
    newRoot: to.rootId,
    newPath: to.path,
    restFrom: characters(from.path) + 1,
  });
}

/** Deletes a page that is not a home page, with all pages below it. */
export async function deleteSubtree(db: ContentDb, subtree: Subtree): Promise<void> {
  await deletePaths.run(db, subtreeRange(subtree));
}

/** The pages of a subtree that have a language of their own. */
export function listLanguagesIn(
  db: ContentDb,
  subtree: Subtree,
): Promise<readonly { readonly id: number; readonly lang: string }[]> {
  return selectLanguages.all(db, subtreeRange(subtree));
}

export const deleteSite = pages.removeBy('root_id');

/**
 * Websites whose 404 page is deleted or now belongs to another website fall back to the automatic 404 page.
 */
export async function clearLostNotFoundPages(db: ContentDb): Promise<void> {
  await clearNotFound.run(db, {});
}

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

const selectChildren = pages.listBy(['parent_id'], ['sort', 'id'], ['id']);

const selectChosenLang = contentQuery((db, p: { id: number }) =>
  db
    .selectFrom('pages')
    .select(sql<string | null>`${sql.raw(chosenLangSql('pages.id'))}`.as('lang'))
    .where('id', '=', p.id),
);

const updatePosition = contentQuery((db, p: { id: number; sort: number }) =>
  db.updateTable('pages').set({ sort: p.sort }).where('id', '=', p.id).where('sort', '<>', p.sort),
);

/** Slugs are ASCII, so the number of characters equals the number of UTF-16 units. */
function characters(path: string): number {
  return path.length;
}

const updatePaths = contentQuery(
  (db, p: SubtreeRange & { newRoot: number; newPath: string; restFrom: number }) =>
    db
      .updateTable('pages')
      .set({ root_id: p.newRoot, path: sql<string>`${p.newPath} || substr(path, ${p.restFrom})` })
      .where((where) => inSubtree(where, p)),
);

const deletePaths = contentQuery((db, p: SubtreeRange) =>
  db.deleteFrom('pages').where((where) => inSubtree(where, p)),
);

const selectLanguages = contentQuery((db, p: SubtreeRange) =>
  db
    .selectFrom('pages')
    .select(['id', 'lang'])
    .where((where) => inSubtree(where, p))
    .where('lang', '<>', '')
    .orderBy('path'),
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
