import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';

/** What an import needs to know of a page that exists. */
export interface KnownPage {
  readonly id: number;
  readonly parent_id: number | null;
  readonly root_id: number;
  readonly path: string;
  readonly source_url: string;
  readonly import_root: number;
  readonly local_modified: boolean;
}

/** The pages that imports into `importRoot` have made, those without a source included. */
export async function listImported(db: ContentDb, importRoot: number): Promise<KnownPage[]> {
  return (await selectImported.all(db, { importRoot })).map(toKnown);
}

export async function findAtPath(
  db: ContentDb,
  rootId: number,
  path: string,
): Promise<KnownPage | undefined> {
  const row = await selectAtPath.first(db, { rootId, path });
  return row === undefined ? undefined : toKnown(row);
}

/** Notes where a page comes from, and that nobody has edited it since. */
export async function saveOrigin(
  db: ContentDb,
  id: number,
  origin: { readonly source_url: string; readonly import_root: number },
): Promise<void> {
  await updateOrigin.run(db, { id, sourceUrl: origin.source_url, importRoot: origin.import_root });
}

function toKnown(row: Omit<KnownPage, 'local_modified'> & { local_modified: number }): KnownPage {
  return { ...row, local_modified: row.local_modified !== 0 };
}

const columns = [
  'id',
  'parent_id',
  'root_id',
  'path',
  'source_url',
  'import_root',
  'local_modified',
] as const;

const selectImported = contentQuery((db, p: { importRoot: number }) =>
  db
    .selectFrom('pages')
    .select(columns)
    .where('import_root', '=', p.importRoot)
    .where('import_root', '<>', 0),
);

const selectAtPath = contentQuery((db, p: { rootId: number; path: string }) =>
  db.selectFrom('pages').select(columns).where('root_id', '=', p.rootId).where('path', '=', p.path),
);

const updateOrigin = contentQuery((db, p: { id: number; sourceUrl: string; importRoot: number }) =>
  db
    .updateTable('pages')
    .set({ source_url: p.sourceUrl, import_root: p.importRoot, local_modified: 0 })
    .where('id', '=', p.id),
);
