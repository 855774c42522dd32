import type { Selectable } from 'kysely';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb, ContentTables } from '../db/tables.ts';
import type { RedirectStatus, StoredRedirect } from './model.ts';

export async function findRedirect(db: ContentDb, id: number): Promise<StoredRedirect | undefined> {
  const row = await selectRedirect.first(db, { id });
  return row === undefined ? undefined : fromRow(row);
}

export async function findBySource(
  db: ContentDb,
  rootId: number,
  source: string,
): Promise<StoredRedirect | undefined> {
  const row = await selectBySource.first(db, { rootId, source });
  return row === undefined ? undefined : fromRow(row);
}

/** All redirects of a website by source, in the order of code points. */
export async function listRedirects(db: ContentDb, rootId: number): Promise<StoredRedirect[]> {
  return (await selectOfSite.all(db, { rootId })).map(fromRow);
}

/** The redirects of a website that lead to a path or to one below it. */
export async function listToSubtree(db: ContentDb, rootId: number, path: string): Promise<StoredRedirect[]> {
  const rows = await selectToSubtree.all(db, { rootId, path, from: `${path}/`, to: `${path}0` });
  return rows.map(fromRow);
}

export async function insertRedirect(db: ContentDb, redirect: Omit<StoredRedirect, 'id'>): Promise<number> {
  return (await insert.first(db, { ...redirect, auto: Number(redirect.auto) }))?.id ?? 0;
}

export async function updateRedirect(db: ContentDb, redirect: StoredRedirect): Promise<void> {
  await update.run(db, { ...redirect, auto: Number(redirect.auto) });
}

export async function deleteRedirect(db: ContentDb, id: number): Promise<void> {
  await remove.run(db, { id });
}

type RedirectRow = Selectable<ContentTables['redirects']>;

function fromRow(row: RedirectRow): StoredRedirect {
  return { ...row, status: statusOf(row.status), auto: row.auto !== 0 };
}

function statusOf(status: number): RedirectStatus {
  return status === 302 ? 302 : 301;
}

const selectRedirect = contentQuery((db, p: { id: number }) =>
  db.selectFrom('redirects').selectAll().where('id', '=', p.id),
);

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

const insert = contentQuery((db, p: Omit<RedirectRow, 'id'>) =>
  db
    .insertInto('redirects')
    .values({
      root_id: p.root_id,
      source: p.source,
      target: p.target,
      target_path: p.target_path,
      status: p.status,
      auto: p.auto,
      created_at: p.created_at,
    })
    .returning('id'),
);

const update = contentQuery((db, p: RedirectRow) =>
  db
    .updateTable('redirects')
    .set({
      source: p.source,
      target: p.target,
      target_path: p.target_path,
      status: p.status,
      auto: p.auto,
    })
    .where('id', '=', p.id),
);

const remove = contentQuery((db, p: { id: number }) => db.deleteFrom('redirects').where('id', '=', p.id));
