import type { Generated } from 'kysely';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    trash: Omit<TrashRow, 'id'> & { id: Generated<number> };
    trash_rows: { trash_id: number; part: number; steps: string };
    trash_contents: { content: string; trash_id: number };
  }
}

export interface TrashSummary {
  readonly id: number;
  readonly kind: string;
  readonly object_id: number;
  readonly title: string;
  readonly path: string;
  readonly deleted_by: string;
  readonly deleted_at: number;
  readonly expires_at: number;
  /** JSON: number of deleted rows by table. */
  readonly counts: string;
  readonly bytes: number;
}

export interface TrashRow extends TrashSummary {
  /** IDs of the pages that were deleted together, as `,5,6,`. */
  readonly pages: string;
  /** See `DiscardedObject`, packed. */
  readonly object: string;
}

const trash = contentTable('trash');
const rows = contentTable('trash_rows');
const contents = contentTable('trash_contents');

const summaryColumns = [
  ...(['id', 'kind', 'object_id', 'title', 'path', 'deleted_by', 'deleted_at', 'expires_at'] as const),
  ...(['counts', 'bytes'] as const),
] as const;

export async function insertEntry(db: ContentDb, entry: Omit<TrashRow, 'id'>): Promise<number> {
  return Number((await insertOne.first(db, entry))?.id);
}

export const insertSteps = rows.insert('trash_id', 'part', 'steps');

export const insertContent = contents.insertMissing('content', 'trash_id');

/** Whether the trash has the bytes of a content. */
export const isContentKept = contents.existsBy('content');

/** Adds what the parts of an entry take to its size. */
export const setBytes = trash.updateBy(['id'], ['bytes']);

/** An entry that has not expired. */
export function findEntry(db: ContentDb, id: number, now: number): Promise<TrashRow | undefined> {
  return selectOne.first(db, { id, now });
}

/** The newest entry of an object that has not expired. */
export function findNewestEntry(
  db: ContentDb,
  object: { readonly kind: string; readonly id: number },
  now: number,
): Promise<TrashSummary | undefined> {
  return selectOfObject.first(db, { kind: object.kind, id: object.id, now });
}

/** The newest entry of a page above a page. */
export function findEntryWithPage(db: ContentDb, id: number, now: number): Promise<TrashSummary | undefined> {
  return selectWithPage.first(db, { pattern: `%,${id},%`, now });
}

/** Parts of an entry. */
export const countParts = async (db: ContentDb, id: number): Promise<number> =>
  Number((await selectParts.first(db, { id }))?.parts ?? 0);

export const findSteps = rows.findCellBy(['trash_id', 'part'], 'steps');

export const removeEntry = trash.removeBy('id');

/** Entries newest first, in slices; the connection must be in a transaction. @param kind empty for all */
export function listEntries(db: ContentDb, kind: string, now: number): AsyncGenerator<TrashSummary[]> {
  return selectFiltered.slices(db, { kind, now }, sliceSize);
}

const sliceSize = 500;

/** ID of the newest entry; 0 if there is none. */
export async function findNewestId(db: ContentDb): Promise<number> {
  return Number((await selectNewest.first(db, {}))?.id ?? 0);
}

/** Bytes of all entries. */
export async function sumBytes(db: ContentDb): Promise<number> {
  return Number((await selectBytes.first(db, {}))?.bytes ?? 0);
}

/** Entries that have expired, oldest first. */
export function listExpired(db: ContentDb, now: number, limit: number): Promise<TrashSummary[]> {
  return selectExpired.all(db, { now, limit });
}

/** The oldest entries. */
export function listOldest(db: ContentDb, limit: number): Promise<TrashSummary[]> {
  return selectOldest.all(db, { limit });
}

const insertOne = contentQuery((db, p: Omit<TrashRow, 'id'>) =>
  db
    .insertInto('trash')
    .values({
      kind: p.kind,
      object_id: p.object_id,
      title: p.title,
      path: p.path,
      deleted_by: p.deleted_by,
      deleted_at: p.deleted_at,
      expires_at: p.expires_at,
      counts: p.counts,
      pages: p.pages,
      bytes: p.bytes,
      object: p.object,
    })
    .returning('id'),
);

const selectOne = contentQuery((db, p: { id: number; now: number }) =>
  db
    .selectFrom('trash')
    .select([...summaryColumns, 'pages', 'object'])
    .where('id', '=', p.id)
    .where('expires_at', '>', p.now),
);

const selectOfObject = contentQuery((db, p: { kind: string; id: number; now: number }) =>
  db
    .selectFrom('trash')
    .select(summaryColumns)
    .where('kind', '=', p.kind)
    .where('object_id', '=', p.id)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc')
    .limit(1),
);

const selectWithPage = contentQuery((db, p: { pattern: string; now: number }) =>
  db
    .selectFrom('trash')
    .select(summaryColumns)
    .where('kind', '=', 'page')
    .where('pages', 'like', p.pattern)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc')
    .limit(1),
);

const selectParts = contentQuery((db, p: { id: number }) =>
  db
    .selectFrom('trash_rows')
    .select((expression) => expression.fn.countAll<number>().as('parts'))
    .where('trash_id', '=', p.id),
);

const selectFiltered = contentQuery((db, p: { kind: string; now: number }) =>
  db
    .selectFrom('trash')
    .select(summaryColumns)
    .where(({ eb, or, val }) => or([eb(val(p.kind), '=', ''), eb('kind', '=', p.kind)]))
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc'),
);

const selectNewest = contentQuery((db, _p: object) =>
  db.selectFrom('trash').select((expression) => expression.fn.max<number | null>('id').as('id')),
);

const selectBytes = contentQuery((db, _p: object) =>
  db.selectFrom('trash').select((expression) => expression.fn.sum<number | null>('bytes').as('bytes')),
);

const selectExpired = contentQuery((db, p: { now: number; limit: number }) =>
  db
    .selectFrom('trash')
    .select(summaryColumns)
    .where('expires_at', '<=', p.now)
    .orderBy('expires_at')
    .limit(p.limit),
);

const selectOldest = contentQuery((db, p: { limit: number }) =>
  db.selectFrom('trash').select(summaryColumns).orderBy('id').limit(p.limit),
);
