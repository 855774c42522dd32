import type { Generated, Kysely } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb, ContentTables } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    imported_pages: { page_id: number; hash: string; etag: string; last_modified: string };
    imported_files: ImportedRow & { file_id: number };
    imported_assets: ImportedRow & { asset_id: number };
    import_hosts: { root_id: number; source: string; hosts: string };
  }
}

const importedPages = contentTable('imported_pages');
const importedAssets = contentTable('imported_assets');
const importHosts = contentTable('import_hosts');

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

export const findPageSource = importedPages.findBy(['page_id'], ['hash', 'etag', 'last_modified']);

export async function savePageSource(db: ContentDb, pageId: number, state: SourceState): Promise<void> {
  await upsertPage.run(db, { pageId, ...state });
}

/** Where the objects of a kind come from. */
export interface ObjectSources {
  find(db: ContentDb, rootId: number, url: string): Promise<ImportedObject | undefined>;
  /** Records where an object comes from. An older object of the same address is forgotten. */
  save(db: ContentDb, rootId: number, url: string, object: ImportedObject): Promise<void>;
}

/** Addresses of the assets of a website that were imported, by ID. */
export async function listAssetSources(db: ContentDb, rootId: number): Promise<ReadonlyMap<number, string>> {
  const rows = await selectAssets(db, rootId);
  return new Map(rows.map(({ asset_id, url }) => [asset_id, url]));
}

/** The hosts that a website was imported with; none if it was not. @param source host of the original website */
export async function findHosts(db: ContentDb, rootId: number, source: string): Promise<readonly string[]> {
  const row = await selectHosts(db, rootId, source);
  return row === undefined ? [] : (hostsIn(row.hosts) ?? []);
}

/** Whether all stored hosts can be read; of an instance itself they can. */
export async function hasUsableHosts(db: ContentDb): Promise<boolean> {
  return (await selectAllHosts(db)).every(({ hosts }) => hostsIn(hosts) !== undefined);
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
  await upsertHosts(db, { root_id: rootId, source, hosts: JSON.stringify(hosts) });
}

const upsertPage = contentQuery((db, p: SourceState & { pageId: number }) =>
  db
    .insertInto('imported_pages')
    .values({ page_id: p.pageId, hash: p.hash, etag: p.etag, last_modified: p.last_modified })
    .onConflict((conflict) =>
      conflict.column('page_id').doUpdateSet({ hash: p.hash, etag: p.etag, last_modified: p.last_modified }),
    ),
);

interface Key {
  readonly rootId: number;
  readonly url: string;
}

export const fileSources = objectSources('imported_files', 'file_id');
export const assetSources = objectSources('imported_assets', 'asset_id');

/** @param idColumn has the ID of the object */
function objectSources(
  table: 'imported_files' | 'imported_assets',
  idColumn: 'file_id' | 'asset_id',
): ObjectSources {
  const select = contentQuery((db, p: Key) =>
    importedRows(db)
      .selectFrom(table)
      .select(({ ref }) => [ref(idColumn).as('id'), 'hash', 'etag', 'last_modified'])
      .where('root_id', '=', p.rootId)
      .where('url', '=', p.url),
  );
  const remove = contentQuery((db, p: Key) =>
    importedRows(db).deleteFrom(table).where('root_id', '=', p.rootId).where('url', '=', p.url),
  );
  const insert = contentQuery((db, p: Key & ImportedObject) =>
    importedRows(db)
      .insertInto(table)
      .values({
        [idColumn]: p.id,
        root_id: p.rootId,
        url: p.url,
        hash: p.hash,
        etag: p.etag,
        last_modified: p.last_modified,
      }),
  );
  return {
    find: (db, rootId, url) => select.first(db, { rootId, url }),
    async save(db, rootId, url, object) {
      await remove.run(db, { rootId, url });
      await insert.run(db, { rootId, url, ...object });
    },
  };
}

/** Type boundary: a table has one of the two columns with an ID, and its callers use that one only. */
function importedRows(
  db: Kysely<ContentTables>,
): Kysely<Record<string, ImportedRow & { file_id: Generated<number>; asset_id: Generated<number> }>> {
  return db as unknown as ReturnType<typeof importedRows>;
}

const selectAssets = importedAssets.listBy(['root_id'], [], ['asset_id', 'url']);

const selectHosts = importHosts.findBy(['root_id', 'source'], ['hosts']);

const selectAllHosts = importHosts.listBy([], [], ['hosts']);

const upsertHosts = importHosts.upsert(['root_id', 'source'], ['hosts']);
