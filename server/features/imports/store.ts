import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    imported_pages: { page_id: number; hash: string; etag: string; last_modified: string };
    imported_files: ImportedRow & { file_id: number };
    imported_assets: ImportedRow & { asset_id: number };
    import_hosts: { root_id: number; source: string; hosts: string };
  }
}

interface ImportedRow {
  root_id: number;
  url: string;
  hash: string;
  etag: string;
  last_modified: string;
}

/** The state of a source when it was imported. */
export interface SourceState {
  /** SHA-256 in hexadecimal: of the source of a page or file, of the stored content of an asset. */
  readonly hash: string;
  /** Headers of the answer; empty if it had none. */
  readonly etag: string;
  readonly last_modified: string;
}

/** An object that was imported into a website from an address. */
export interface ImportedObject extends SourceState {
  readonly id: number;
}

export function findPageSource(db: ContentDb, pageId: number): Promise<SourceState | undefined> {
  return selectPage.first(db, { pageId });
}

export async function savePageSource(db: ContentDb, pageId: number, state: SourceState): Promise<void> {
  await upsertPage.run(db, { pageId, ...state });
}

export function findImportedFile(
  db: ContentDb,
  rootId: number,
  url: string,
): Promise<ImportedObject | undefined> {
  return selectFile.first(db, { rootId, url });
}

/** Notes where a file comes from. An older file of the same address is forgotten. */
export async function saveFileSource(
  db: ContentDb,
  rootId: number,
  url: string,
  file: ImportedObject,
): Promise<void> {
  await deleteFile.run(db, { rootId, url });
  await insertFile.run(db, { rootId, url, ...file });
}

export function findImportedAsset(
  db: ContentDb,
  rootId: number,
  url: string,
): Promise<ImportedObject | undefined> {
  return selectAsset.first(db, { rootId, url });
}

export async function saveAssetSource(
  db: ContentDb,
  rootId: number,
  url: string,
  asset: ImportedObject,
): Promise<void> {
  await deleteAsset.run(db, { rootId, url });
  await insertAsset.run(db, { rootId, url, ...asset });
}

/** Addresses of the assets of a website that were imported, by ID. */
export async function listAssetSources(db: ContentDb, rootId: number): Promise<ReadonlyMap<number, string>> {
  const rows = await selectAssets.all(db, { rootId });
  return new Map(rows.map(({ asset_id, url }) => [asset_id, url]));
}

/** The hosts that a website was imported with; none if it was not. @param source host of the original website */
export async function findHosts(db: ContentDb, rootId: number, source: string): Promise<readonly string[]> {
  const row = await selectHosts.first(db, { rootId, source });
  return row === undefined ? [] : (hostsIn(row.hosts) ?? []);
}

/** Whether all stored hosts can be read; of an instance itself they can. */
export async function hasUsableHosts(db: ContentDb): Promise<boolean> {
  return (await selectAllHosts.all(db, {})).every(({ hosts }) => hostsIn(hosts) !== undefined);
}

/** Undefined if the text is no list of hosts. */
function hostsIn(text: string): readonly string[] | undefined {
  try {
    const hosts: unknown = JSON.parse(text);
    return Array.isArray(hosts) && hosts.every((host) => typeof host === 'string') ? hosts : undefined;
  } catch {
    return undefined;
  }
}

export async function saveHosts(
  db: ContentDb,
  rootId: number,
  source: string,
  hosts: readonly string[],
): Promise<void> {
  await upsertHosts.run(db, { rootId, source, hosts: JSON.stringify(hosts) });
}

interface Key {
  readonly rootId: number;
  readonly url: string;
}

const selectPage = contentQuery((db, p: { pageId: number }) =>
  db.selectFrom('imported_pages').select(['hash', 'etag', 'last_modified']).where('page_id', '=', p.pageId),
);

const upsertPage = contentQuery((db, p: SourceState & { pageId: number }) =>
  db
    .insertInto('imported_pages')
    .values({ page_id: p.pageId, hash: p.hash, etag: p.etag, last_modified: p.last_modified })
    .onConflict((conflict) =>
      conflict.column('page_id').doUpdateSet({ hash: p.hash, etag: p.etag, last_modified: p.last_modified }),
    ),
);

const selectFile = contentQuery((db, p: Key) =>
  db
    .selectFrom('imported_files')
    .select(['file_id as id', 'hash', 'etag', 'last_modified'])
    .where('root_id', '=', p.rootId)
    .where('url', '=', p.url),
);

const deleteFile = contentQuery((db, p: Key) =>
  db.deleteFrom('imported_files').where('root_id', '=', p.rootId).where('url', '=', p.url),
);

const insertFile = contentQuery((db, p: Key & ImportedObject) =>
  db.insertInto('imported_files').values({
    file_id: p.id,
    root_id: p.rootId,
    url: p.url,
    hash: p.hash,
    etag: p.etag,
    last_modified: p.last_modified,
  }),
);

const selectAsset = contentQuery((db, p: Key) =>
  db
    .selectFrom('imported_assets')
    .select(['asset_id as id', 'hash', 'etag', 'last_modified'])
    .where('root_id', '=', p.rootId)
    .where('url', '=', p.url),
);

const deleteAsset = contentQuery((db, p: Key) =>
  db.deleteFrom('imported_assets').where('root_id', '=', p.rootId).where('url', '=', p.url),
);

const insertAsset = contentQuery((db, p: Key & ImportedObject) =>
  db.insertInto('imported_assets').values({
    asset_id: p.id,
    root_id: p.rootId,
    url: p.url,
    hash: p.hash,
    etag: p.etag,
    last_modified: p.last_modified,
  }),
);

const selectAssets = contentQuery((db, p: { rootId: number }) =>
  db.selectFrom('imported_assets').select(['asset_id', 'url']).where('root_id', '=', p.rootId),
);

const selectHosts = contentQuery((db, p: { rootId: number; source: string }) =>
  db
    .selectFrom('import_hosts')
    .select('hosts')
    .where('root_id', '=', p.rootId)
    .where('source', '=', p.source),
);

const selectAllHosts = contentQuery((db, _p: object) => db.selectFrom('import_hosts').select('hosts'));

const upsertHosts = contentQuery((db, p: { rootId: number; source: string; hosts: string }) =>
  db
    .insertInto('import_hosts')
    .values({ root_id: p.rootId, source: p.source, hosts: p.hosts })
    .onConflict((conflict) => conflict.columns(['root_id', 'source']).doUpdateSet({ hosts: p.hosts })),
);
