import { sql } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import { inSubtree, type Subtree, type SubtreeRange, subtreeRange } from './subtree.ts';

/** The path of a page or draft on its website. */
export interface PagePath {
  readonly path: string;
  readonly published: boolean;
  readonly catchAll: boolean;
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
