import { sql } from 'kysely';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';

/** Questions about the tree of pages, and changes of a page's place in it. */

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
