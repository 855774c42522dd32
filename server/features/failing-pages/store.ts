import { activityQuery, contentQuery } from '../../db/prepared.ts';
import { activityTable, contentTable } from '../../db/table.ts';
import type { ActivityDb, ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    failing_pages: FailingPageRow;
  }
  interface ActivityTables {
    visited_pages: VisitedPageRow;
    page_checks: PageChecksRow;
  }
}

/** Text is empty and a number 0 where it is not known. */
export interface FailingPageRow {
  root_id: number;
  path: string;
  query: string;
  page_id: number;
  error: string;
  template: string;
  template_line: number;
  template_column: number;
  since: number;
  cause: string;
  found_by: string;
}

export interface VisitedPageRow {
  root_id: number;
  path: string;
  page_id: number;
  asked_at: number;
}

/** There is one row. */
interface PageChecksRow {
  id: number;
  seq: number;
}

const failing = contentTable('failing_pages');
const visited = activityTable('visited_pages');
const checks = activityTable('page_checks');

/** All, of drafts and deleted pages too. */
export const listAll = failing.listBy([], []);
export const findFailing = failing.findBy(['root_id', 'path']);
export const listPathsOf = failing.listBy(['page_id'], [], ['path']);
export const deleteFailing = failing.removeBy('root_id', 'path', 'query');
export const updateFailing = failing.updateBy(
  ['root_id', 'path'],
  ['error', 'template', 'template_line', 'template_column', 'found_by'],
);
export const insertFailing = failing.insert(
  ...([
    'root_id',
    'path',
    'query',
    'page_id',
    'error',
    'template',
    'template_line',
    'template_column',
  ] as const),
  ...(['since', 'cause', 'found_by'] as const),
);

/** Those of a website whose pages are published, newest first. */
export function listPublished(db: ContentDb, rootId: number): Promise<FailingPageRow[]> {
  return selectPublished.all(db, { rootId });
}

export interface PublishedPage {
  readonly id: number;
  readonly root_id: number;
  readonly path: string;
  readonly catch_all: number;
}

export function findPublished(db: ContentDb, id: number): Promise<PublishedPage | undefined> {
  return selectPage.first(db, { id });
}

export const saveVisited = visited.upsert(['root_id', 'path'], ['page_id', 'asked_at']);

export const saveChecks = checks.upsert(['id'], ['seq']);
export const findChecks = checks.findCellBy(['id'], 'seq');

/** Pages that were asked for since a time, latest first. */
export function listVisited(db: ActivityDb, since: number, limit: number): Promise<VisitedPageRow[]> {
  return selectVisited.all(db, { since, limit });
}

export async function deleteVisitedBefore(db: ActivityDb, before: number): Promise<void> {
  await deleteOld.run(db, { before });
}

const selectPublished = contentQuery((db, p: { rootId: number }) =>
  db
    .selectFrom('failing_pages')
    .innerJoin('pages', 'pages.id', 'failing_pages.page_id')
    .selectAll('failing_pages')
    .where('failing_pages.root_id', '=', p.rootId)
    .where('pages.root_id', '=', p.rootId)
    .where('pages.published', '=', 1)
    .orderBy('failing_pages.since', 'desc')
    .orderBy('failing_pages.path'),
);

const selectPage = contentQuery((db, p: { id: number }) =>
  db
    .selectFrom('pages')
    .select(['id', 'root_id', 'path', 'catch_all'])
    .where('id', '=', p.id)
    .where('published', '=', 1),
);

const selectVisited = activityQuery((db, p: { since: number; limit: number }) =>
  db
    .selectFrom('visited_pages')
    .selectAll()
    .where('asked_at', '>=', p.since)
    .orderBy('asked_at', 'desc')
    .limit(p.limit),
);

const deleteOld = activityQuery((db, p: { before: number }) =>
  db.deleteFrom('visited_pages').where('asked_at', '<', p.before),
);
