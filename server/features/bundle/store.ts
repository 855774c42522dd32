/** What is known of stored contents, and of the newest commit. */
import type { RasterFormat } from '../../../runtime/images/messages.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    /** `sha256` is hex; `size` in bytes, null as long as nobody has measured the content. */
    file_hashes: { content: string; sha256: string; size: number | null };
  }
}

const fileHashes = contentTable('file_hashes');

export interface UnmeasuredContent {
  readonly content: string;
  /** In bytes, as its file says. */
  readonly size: number;
  /** Null if it is not known either. */
  readonly sha256: string | null;
}

/** Contents of files whose hash or size is not known, at most `limit`. */
export function listUnmeasured(db: ContentDb, limit: number): Promise<UnmeasuredContent[]> {
  return selectUnmeasured.all(db, { limit });
}

/** Lets a file have the size of its content. */
export const updateSize = contentTable('files').updateBy(['content'], ['size']);

/** What files say of their type. */
export interface FileTypes {
  readonly mime: string;
  readonly format: Format;
  readonly private: number;
}

type Format = RasterFormat | '';

/** Each combination that some file has. */
export function listFileTypes(db: ContentDb): Promise<FileTypes[]> {
  return selectTypes.all(db, {});
}

/** Gives files of these types another format. */
export async function correctFormat(db: ContentDb, { mime, format }: FileTypes, to: Format): Promise<void> {
  await updateFormats.run(db, { mime, format, to, variants: to === '' ? 'none' : 'pending' });
}

/** Makes files private whose flag is none: nobody has chosen to show them. */
export async function correctFlags(db: ContentDb): Promise<void> {
  await updateFlags.run(db, {});
}

/** For rows of a bundle, whose contents nobody measures. */
export const saveHash = fileHashes.upsert(['content'], ['sha256']);

export const saveMeasure = fileHashes.upsert(['content'], ['sha256', 'size']);

/** The hash of a content of a file; undefined if it is not known. */
export const findHash = fileHashes.findCellBy(['content'], 'sha256');

/** A content of a file that has these bytes; undefined if there is none. */
export async function findContent(db: ContentDb, sha256: string): Promise<string | undefined> {
  return (await selectByHash.first(db, { sha256 }))?.content;
}

/** The newest commit: Unix seconds; 0 before the first. */
export async function newestCommitAt(db: ContentDb): Promise<number> {
  return (await selectNewestCommit.first(db, {}))?.at ?? 0;
}

const selectUnmeasured = contentQuery((db, p: { limit: number }) =>
  db
    .selectFrom('files')
    .leftJoin('file_hashes', 'file_hashes.content', 'files.content')
    .select(['files.content', 'files.size', 'file_hashes.sha256'])
    .where('file_hashes.size', 'is', null)
    .orderBy('files.id')
    .limit(p.limit),
);

const selectTypes = contentQuery((db, _p: object) =>
  db.selectFrom('files').select(['mime', 'format', 'private']).distinct(),
);

const updateFormats = contentQuery(
  (db, p: { mime: string; format: Format; to: Format; variants: 'none' | 'pending' }) =>
    db
      .updateTable('files')
      .set({ format: p.to, variants: p.variants })
      .where('mime', '=', p.mime)
      .where('format', '=', p.format),
);

const updateFlags = contentQuery((db, _p: object) =>
  db.updateTable('files').set({ private: 1 }).where('private', 'not in', [0, 1]),
);

const selectByHash = contentQuery((db, p: { sha256: string }) =>
  db
    .selectFrom('file_hashes')
    .innerJoin('files', 'files.content', 'file_hashes.content')
    .select('file_hashes.content')
    .where('sha256', '=', p.sha256)
    .limit(1),
);

const selectNewestCommit = contentQuery((db, _p: object) =>
  db.selectFrom('commits').select('at').orderBy('version', 'desc').limit(1),
);
