import { type RawBuilder, sql } from 'kysely';
import { columnNames } from '../../../runtime/content/columns.ts';
import { fileColumns } from '../../../runtime/content/tables.ts';
import { isContentKept } from '../../content/kinds/trash/entries.ts';
import type { Row } from '../../db/connection.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import type { FileListQuery, StoredFile } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    files: ObjectColumns<typeof fileColumns>;
    file_crops: { content: string; name: string; width: number; height: number };
  }
}

const filesTable = contentTable('files');
const fileCrops = contentTable('file_crops');

export const files = objectTable<StoredFile>()('files', fileColumns, {
  keptByUpdates: ['path', 'source_url'],
});

export async function findFileByPath(db: ContentDb, path: string): Promise<StoredFile | undefined> {
  const row = await selectByPath.first(db, { path });
  return row === undefined ? undefined : files.fromRow(row);
}

export async function findIdBySource(db: ContentDb, address: string): Promise<number | undefined> {
  return (await selectBySource.first(db, { address }))?.id;
}

/** Whether a file has this content, or one in the trash. */
export async function isContentUsed(db: ContentDb, content: string): Promise<boolean> {
  return (await hasContent(db, content)) || isContentKept(db, content);
}

const hasContent = filesTable.existsBy('content');

/** Type boundary: the row has all columns of the table. */
export function toFile(row: Row): StoredFile {
  return files.fromRow(row) as StoredFile;
}

/** Files newest first, and the number of files without `limit` and `offset`. */
export async function listFiles(
  db: ContentDb,
  { folder_id, kind, q = '', limit = 100, offset = 0 }: FileListQuery,
): Promise<{ readonly files: StoredFile[]; readonly count: number }> {
  const filter = {
    folderId: folder_id ?? -1,
    kind: kind ?? '',
    pattern: `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`,
  };
  const rows = await selectFiltered.all(db, { ...filter, limit, offset });
  const count = Number((await countFiltered.first(db, filter))?.count ?? 0);
  return { files: rows.map(files.fromRow), count };
}

/** Whether the variants of a content are still to be written. */
export async function isPending(db: ContentDb, content: string): Promise<boolean> {
  return (await selectState(db, content))?.variants === 'pending';
}

/** Files whose variants are still to be written, oldest first. */
export async function listPending(db: ContentDb): Promise<StoredFile[]> {
  return (await selectPending.all(db, {})).map(files.fromRow);
}

/** Says that the variants of a content are ready or cannot be made. Returns false if no file has it any more. */
export async function saveVariantState(
  db: ContentDb,
  content: string,
  state: 'done' | 'failed',
): Promise<boolean> {
  return (await updateVariants(db, content, state)) > 0;
}

/** Says of all images that have variants, or could not have them, that they are still to be written. */
export async function forgetVariants(db: ContentDb): Promise<void> {
  await resetVariants.run(db, {});
}

/** The paths of all files, in slices. The connection must be in a transaction. */
export async function* listPaths(
  db: ContentDb,
): AsyncGenerator<{ readonly path: string; readonly isPrivate: boolean }[]> {
  for await (const rows of selectPaths.slices(db, {}, 1000))
    yield rows.map((row) => ({ path: row.path, isPrivate: row.private !== 0 }));
}

/** Files by ID, after an ID. */
export async function listFilesAfter(db: ContentDb, id: number, limit: number): Promise<StoredFile[]> {
  return (await selectAfter.all(db, { id, limit })).map(files.fromRow);
}

/** Moves the files of a folder to another one. */
export const moveFiles = filesTable.updateBy(['folder_id'], ['folder_id']);

export interface Crop {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** The cropped variants of a content. */
export const listCrops = fileCrops.listBy(['content'], ['name'], ['name', 'width', 'height']);

export async function insertCrop(db: ContentDb, content: string, crop: Crop): Promise<void> {
  await insertOneCrop(db, { content, ...crop });
}

export const removeCrops = fileCrops.removeBy('content');

const columns = columnNames(fileColumns);

const selectByPath = contentQuery((db, p: { path: string }) =>
  db.selectFrom('files').select(columns).where('path', '=', p.path),
);

const selectState = filesTable.findBy(['content'], ['variants']);

const selectPending = contentQuery((db, _p: object) =>
  db.selectFrom('files').select(columns).where('variants', '=', 'pending').orderBy('id'),
);

interface Filter {
  /** -1: files of all folders. */
  readonly folderId: number;
  /** Empty: files of all kinds. */
  readonly kind: string;
  /** For LIKE. */
  readonly pattern: string;
}

/** Reads markers only, as every part of a prepared query. */
function fits({ folderId, kind, pattern }: Filter): RawBuilder<boolean> {
  return sql<boolean>`(${folderId} = -1 OR folder_id = ${folderId})
    AND (${kind} = '' OR kind = ${kind})
    AND (name LIKE ${pattern} ESCAPE '\\' OR alt LIKE ${pattern} ESCAPE '\\')`;
}

const selectFiltered = contentQuery((db, p: Filter & { limit: number; offset: number }) =>
  db.selectFrom('files').select(columns).where(fits(p)).orderBy('id', 'desc').limit(p.limit).offset(p.offset),
);

const countFiltered = contentQuery((db, p: Filter) =>
  db
    .selectFrom('files')
    .select((count) => count.fn.countAll<number>().as('count'))
    .where(fits(p)),
);

const selectPaths = contentQuery((db, _p: object) =>
  db.selectFrom('files').select(['path', 'private']).orderBy('id'),
);

const selectAfter = contentQuery((db, p: { id: number; limit: number }) =>
  db.selectFrom('files').select(columns).where('id', '>', p.id).orderBy('id').limit(p.limit),
);

const updateVariants = filesTable.updateBy(['content'], ['variants']);

const resetVariants = contentQuery((db, _p: object) =>
  db.updateTable('files').set({ variants: 'pending' }).where('variants', 'in', ['done', 'failed']),
);

const insertOneCrop = fileCrops.insertMissing('content', 'name', 'width', 'height');

const selectBySource = contentQuery((db, p: { address: string }) =>
  db.selectFrom('files').select('id').where('source_url', '=', p.address).orderBy('id', 'desc').limit(1),
);
