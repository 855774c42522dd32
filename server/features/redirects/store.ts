import { redirectColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import type { StoredRedirect } from './model.ts';

declare module '../../db/tables.ts' {
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

/** Whether a website has redirects. */
export async function hasRedirects(db: ContentDb, rootId: number): Promise<boolean> {
  return (await selectAnyOfSite.first(db, { rootId })) !== undefined;
}

/** A redirect and whether the same website has a page, or another redirect, at its target path. */
export interface ListedRedirect {
  readonly redirect: StoredRedirect;
  readonly leadsSomewhere: boolean;
}

/**
 * All redirects of a website by source, in the order of code points. The connection must be in a transaction,
 * because the rows come in slices.
 */
export async function* listRedirects(db: ContentDb, rootId: number): AsyncGenerator<ListedRedirect[]> {
  for await (const rows of selectOfSite.slices(db, { rootId }, sliceSize)) {
    yield rows.map(({ page_id, next_id, ...row }) => ({
      redirect: redirects.fromRow(row),
      leadsSomewhere: page_id !== null || next_id !== null,
    }));
  }
}

/** Reading so many redirects with their targets takes about 2 ms. */
const sliceSize = 200;

/** The redirects of a website that lead to a path or to a path below it. */
export async function listToSubtree(db: ContentDb, rootId: number, path: string): Promise<StoredRedirect[]> {
  const rows = await selectToSubtree.all(db, { rootId, path, from: `${path}/`, to: `${path}0` });
  return rows.map(redirects.fromRow);
}

const selectBySource = contentQuery((db, p: { rootId: number; source: string }) =>
  db.selectFrom('redirects').selectAll().where('root_id', '=', p.rootId).where('source', '=', p.source),
);

const selectAnyOfSite = contentQuery((db, p: { rootId: number }) =>
  db.selectFrom('redirects').select('id').where('root_id', '=', p.rootId).limit(1),
);

const selectOfSite = contentQuery((db, p: { rootId: number }) =>
  db
    .selectFrom('redirects')
    .leftJoin('pages', (join) =>
      join.onRef('pages.root_id', '=', 'redirects.root_id').onRef('pages.path', '=', 'redirects.target_path'),
    )
    .leftJoin('redirects as next', (join) =>
      join.onRef('next.root_id', '=', 'redirects.root_id').onRef('next.source', '=', 'redirects.target_path'),
    )
    .selectAll('redirects')
    .select(['pages.id as page_id', 'next.id as next_id'])
    .where('redirects.root_id', '=', p.rootId)
    .orderBy('redirects.source'),
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
