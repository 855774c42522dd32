import { redirectColumns } from '../../runtime/content/tables.ts';
import { objectTable } from '../db/object-table.ts';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb, ObjectColumns } from '../db/tables.ts';
import type { StoredRedirect } from './model.ts';

declare module '../db/tables.ts' {
  interface ContentTables {
    redirects: ObjectColumns<typeof redirectColumns>;
  }
}

export const redirects = objectTable<StoredRedirect>()('redirects', redirectColumns, {
  keptByUpdates: ['root_id'],
});

export async function findBySource(
  db: ContentDb,
  rootId: number,
  source: string,
): Promise<StoredRedirect | undefined> {
  const row = await selectBySource.first(db, { rootId, source });
  return row === undefined ? undefined : redirects.fromRow(row);
}

/** All redirects of a website by source, in the order of code points. */
export async function listRedirects(db: ContentDb, rootId: number): Promise<StoredRedirect[]> {
  return (await selectOfSite.all(db, { rootId })).map(redirects.fromRow);
}

/** The redirects of a website that lead to a path or to a path below it. */
export async function listToSubtree(db: ContentDb, rootId: number, path: string): Promise<StoredRedirect[]> {
  const rows = await selectToSubtree.all(db, { rootId, path, from: `${path}/`, to: `${path}0` });
  return rows.map(redirects.fromRow);
}

const selectBySource = contentQuery((db, p: { rootId: number; source: string }) =>
  db.selectFrom('redirects').selectAll().where('root_id', '=', p.rootId).where('source', '=', p.source),
);

const selectOfSite = contentQuery((db, p: { rootId: number }) =>
  db.selectFrom('redirects').selectAll().where('root_id', '=', p.rootId).orderBy('source'),
);

const selectToSubtree = contentQuery((db, p: { rootId: number; path: string; from: string; to: string }) =>
  db
    .selectFrom('redirects')
    .selectAll()
    .where('root_id', '=', p.rootId)
    .where((where) =>
      where.or([
        where('target_path', '=', p.path),
        where.and([where('target_path', '>=', p.from), where('target_path', '<', p.to)]),
      ]),
    ),
);
