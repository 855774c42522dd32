import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';
import type { Subtree } from './tree-store.ts';

/** Questions about the paths of pages, drafts included. */

export async function isPath(db: ContentDb, rootId: number, path: string): Promise<boolean> {
  return (await selectByPath.first(db, { rootId, path })) !== undefined;
}

export interface PagePath {
  readonly path: string;
  readonly published: boolean;
  readonly catchAll: boolean;
}

export async function listPaths(db: ContentDb, rootId: number): Promise<PagePath[]> {
  return (await selectPaths.all(db, { rootId })).map(toPagePath);
}

/** The paths of a page and all below it, its own first. */
export async function listPathsOfSubtree(db: ContentDb, { rootId, path }: Subtree): Promise<PagePath[]> {
  return (await selectPathsBelow.all(db, { rootId, path, from: `${path}/`, to: `${path}0` })).map(toPagePath);
}

function toPagePath(row: { path: string; published: number; catch_all: number }): PagePath {
  return { path: row.path, published: row.published !== 0, catchAll: row.catch_all !== 0 };
}

const selectByPath = contentQuery((db, p: { rootId: number; path: string }) =>
  db.selectFrom('pages').select('id').where('root_id', '=', p.rootId).where('path', '=', p.path),
);

const selectPaths = contentQuery((db, p: { rootId: number }) =>
  db.selectFrom('pages').select(['path', 'published', 'catch_all']).where('root_id', '=', p.rootId),
);

const selectPathsBelow = contentQuery((db, p: { rootId: number; path: string; from: string; to: string }) =>
  db
    .selectFrom('pages')
    .select(['path', 'published', 'catch_all'])
    .where('root_id', '=', p.rootId)
    .where((where) =>
      where.or([
        where('path', '=', p.path),
        where.and([where('path', '>=', p.from), where('path', '<', p.to)]),
      ]),
    )
    .orderBy('path'),
);
