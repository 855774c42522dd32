/** Hashes of stored contents, and what the rules of bundles ask of entries. */
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    /** Hex. */
    file_hashes: { content: string; sha256: string };
  }
}

const fileHashes = contentTable('file_hashes');

/** Contents whose hash is not known, at most `limit`. */
export async function listUnhashed(db: ContentDb, limit: number): Promise<string[]> {
  return (await selectUnhashed.all(db, { limit })).map(({ content }) => content);
}

export const saveHash = fileHashes.upsert(['content'], ['sha256']);

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

const selectUnhashed = contentQuery((db, p: { limit: number }) =>
  db
    .selectFrom('files')
    .leftJoin('file_hashes', 'file_hashes.content', 'files.content')
    .select('files.content')
    .where('file_hashes.content', 'is', null)
    .orderBy('files.id')
    .limit(p.limit),
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
