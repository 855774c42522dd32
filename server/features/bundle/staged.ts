/**
 * The content of a bundle in a database of its own, before anything of the instance is touched. The database has the
 * schema of the bundle first, so its rules refuse what it could not have held; then it is migrated like any other.
 */
import { rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import { Connection } from '../../db/connection.ts';
import { applyMigrations, loadMigrations, newestVersion } from '../../db/migrate.ts';
import { listJsonColumns } from '../../db/object-table.ts';
import {
  type ColumnInfo,
  dropTriggers,
  findBrokenReference,
  insertRow,
  listColumns,
} from '../../db/schema.ts';
import type { ContentDb, ContentTables } from '../../db/tables.ts';
import { parseJson, readJsonBody, refuseExcessiveJson } from '../../http/json/json.ts';
import type { Staging } from '../../storage/staging.ts';
import { type Archive, invalidBundle } from './archive.ts';
import { type OriginId, saveOriginId } from './origins.ts';
import { saveHash } from './store.ts';
import type { BundleTable } from './tables.ts';

const maxRowBytes = 64 * 2 ** 20;
const bytesAtOnce = 64 * 2 ** 10;
const elementsOfRow = 1_000_000;

/** The schema of this program. */
export function newestSchema(): number {
  return newestVersion('content');
}

export class StagedContent {
  readonly db: ContentDb;
  /** Tables of which the bundle says nothing, because they are younger than it. They stay as they are. */
  readonly unknown: ReadonlySet<string>;
  /** Files of the bundle that only live entries use. */
  readonly liveFiles: Set<number>;
  /** Entries and files of the target that have been put into the content, because they stay. */
  readonly keptEntries = new Set<number>();
  readonly keptFiles = new Set<number>();
  /** Paths of files in the archive, by ID, once files may have got others. */
  readonly archivePaths = new Map<number, string>();
  /** The highest IDs that were ever given where the bundle comes from, as far as it says. */
  readonly lastIds: Readonly<Record<'files' | 'items', number>>;
  readonly #path: string;

  private constructor(db: ContentDb, path: string, archive: Archive, filled: FilledContent) {
    this.db = db;
    this.#path = path;
    this.unknown = filled.unknown;
    this.liveFiles = filled.liveFiles;
    this.lastIds = { files: 0, items: 0, ...archive.manifest.last_ids };
  }

  /** To be called when files have got other IDs. */
  followMoves(moves: ReadonlyMap<number, number>): void {
    const live = [...this.liveFiles].map((id) => moves.get(id) ?? id);
    const paths = [...this.archivePaths].map(([id, path]) => [moves.get(id) ?? id, path] as const);
    this.liveFiles.clear();
    for (const id of live) this.liveFiles.add(id);
    this.archivePaths.clear();
    for (const [id, path] of paths) this.archivePaths.set(id, path);
  }

  /** @throws ApiError `bundle.invalid` */
  static async read(
    archive: Archive,
    tables: readonly BundleTable[],
    staging: Staging,
  ): Promise<StagedContent> {
    const { schema } = archive.manifest;
    const newest = newestSchema();
    if (schema > newest)
      throw invalidBundle(`it comes from a newer version (schema ${schema}, this version knows ${newest})`);
    const path = staging.reserve();
    const db = new Connection<ContentTables>(path);
    try {
      const filler = new Filler(db, archive, tables, schema === newest);
      const filled = await filler.fill(schema);
      const broken = findBrokenReference(db);
      if (broken !== undefined) throw invalidBundle(broken);
      return new StagedContent(db, path, archive, filled);
    } catch (error) {
      db.close();
      await removeDatabase(path);
      throw error instanceof ApiError ? error : toRefusal(error);
    }
  }

  async close(): Promise<void> {
    this.db.close();
    await removeDatabase(this.#path);
  }
}

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
}

/** An error of SQLite while rows were stored: they break a rule of the schema. */
export function toRefusal(error: unknown): unknown {
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
  return error instanceof Error && code.startsWith('SQLITE_CONSTRAINT')
    ? invalidBundle(error.message)
    : error;
}

interface FilledContent {
  /** Names of the tables that the bundle cannot know. */
  readonly unknown: ReadonlySet<string>;
  readonly liveFiles: Set<number>;
}

class Filler {
  readonly #db: ContentDb;
  readonly #archive: Archive;
  readonly #tables: readonly BundleTable[];
  readonly #isCurrent: boolean;
  /** By ID of the file. */
  readonly #hashes = new Map<number, string>();
  /** Of all files. */
  readonly #paths = new Set<string>();
  readonly #origins: OriginId[] = [];
  readonly #liveFiles = new Set<number>();

  constructor(db: ContentDb, archive: Archive, tables: readonly BundleTable[], isCurrent: boolean) {
    this.#db = db;
    this.#archive = archive;
    this.#tables = tables;
    this.#isCurrent = isCurrent;
  }

  async fill(schema: number): Promise<FilledContent> {
    const db = this.#db;
    const migrations = loadMigrations('content');
    // Nobody needs this file after a crash.
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF']) db.pragma(pragma);
    applyMigrations(
      db,
      migrations.filter(({ version }) => version <= schema),
    );
    // Rows that later migrations change may need them.
    if (this.#isCurrent) dropTriggers(db);
    await nextTurn();
    const unknown = new Set<string>();
    for (const table of this.#tables) {
      const isYounger = listColumns(db, table.name).length === 0;
      const isLeftOut = table.attached !== undefined && !this.#archive.tables.has(table.name);
      if (isYounger || isLeftOut) unknown.add(table.name);
      else await this.#fillTable(table);
    }
    this.#refuseOthers();
    this.#refuseMediaWithoutFile();
    applyMigrations(db, migrations);
    for (const [id, sha256] of this.#hashes) await saveHash(db, { content: placeholderOf(id), sha256 });
    for (const origin of this.#origins) await saveOriginId(db, origin);
    if (!this.#isCurrent) dropTriggers(db);
    return { unknown, liveFiles: this.#liveFiles };
  }

  #refuseOthers(): void {
    const known = new Set<string>(this.#tables.map(({ name }) => name));
    for (const name of this.#archive.tables.keys())
      if (!known.has(name)) throw invalidBundle(`there is no table ${name} in bundles`);
  }

  #refuseMediaWithoutFile(): void {
    for (const path of this.#archive.media.keys())
      if (!this.#paths.has(path)) throw invalidBundle(`media/${path} belongs to no file`);
  }

  async #fillTable({ name, columns: all, carried }: BundleTable): Promise<void> {
    const entry = this.#archive.tables.get(name);
    if (entry === undefined) throw invalidBundle(`data/${name}.ndjson is missing`);
    const columns = listColumns(this.#db, name);
    const own = all.filter((column) => !carried.includes(column));
    const json = listJsonColumns(name);
    const required = columns.filter((column) => carried.includes(column.name)).map((column) => column.name);
    let number = 0;
    const slices = new TimeSlices();
    this.#db.execute('BEGIN');
    for await (const line of linesOf(this.#archive.read(entry), name)) {
      number += 1;
      const at = `data/${name}.ndjson, line ${number}`;
      const row = await rowIn(line, at);
      const foreign = own.find((column) => row.has(column));
      if (foreign !== undefined) throw invalidBundle(`${at}: a bundle has no ${foreign}`);
      const missing = required.find((column) => !row.has(column));
      if (missing !== undefined) throw invalidBundle(`${at}: ${missing} is missing`);
      for (const column of json) await refuseExcessiveCell(row.get(column), `${at}: ${column}`);
      this.#insert(name, columns, this.#completed(name, row, at), at);
      await slices.next();
    }
    this.#db.execute('COMMIT');
  }

  /** Columns that a bundle does not have get values that only fill them; what it has besides columns is taken off. */
  #completed(name: string, row: Map<string, unknown>, at: string): Map<string, unknown> {
    const id = Number(row.get('id'));
    if (name === 'items' || name === 'files') this.#takeOrigin(name, id, row, at);
    if (name !== 'files') return row;
    const sha256 = row.get('sha256');
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
      throw invalidBundle(`${at}: sha256 is no hash`);
    this.#hashes.set(id, sha256);
    this.#paths.add(String(row.get('path')));
    row.delete('sha256');
    return row.set('content', placeholderOf(id));
  }

  #takeOrigin(table: 'files' | 'items', id: number, row: Map<string, unknown>, at: string): void {
    const { origin_id = id, origin_path = row.get('path') ?? '', live = 0 } = Object.fromEntries(row);
    const isPath = table === 'items' ? origin_path === '' : usablePath.test(String(origin_path));
    if (!Number.isSafeInteger(origin_id) || Number(origin_id) < 1 || !isPath || (live !== 0 && live !== 1))
      throw invalidBundle(`${at}: what it says of where it comes from is not possible`);
    if (row.has('origin_id') || row.has('origin_path'))
      this.#origins.push({
        kind: table === 'files' ? 'file' : 'item',
        id,
        origin_id: Number(origin_id),
        origin_path: String(origin_path),
      });
    if (table === 'files' && live === 1) this.#liveFiles.add(id);
    for (const extra of ['origin_id', 'origin_path', ...(table === 'files' ? ['live'] : [])])
      row.delete(extra);
  }

  #insert(
    table: string,
    columns: readonly ColumnInfo[],
    row: ReadonlyMap<string, unknown>,
    at: string,
  ): void {
    const known = new Map(columns.map((column) => [column.name, column]));
    for (const [name, value] of row) {
      const column = known.get(name);
      if (column === undefined)
        throw invalidBundle(`${at}: there is no column ${JSON.stringify(name.slice(0, 60))}`);
      if (!fits(column, value)) throw invalidBundle(`${at}: ${name} has a value that is not possible`);
    }
    try {
      insertRow(this.#db, table, row);
    } catch (error) {
      const refusal = toRefusal(error);
      throw refusal instanceof ApiError
        ? invalidBundle(`${at}: ${error instanceof Error ? error.message : ''}`)
        : error;
    }
  }
}

/** What may be a path of a file. That of a row is checked with the files. */
const usablePath = /^[a-z0-9_.-]{1,250}$/;

/** Stands for the content of a file of a bundle until its bytes are stored. */
function placeholderOf(id: number): string {
  return id.toString(16).padStart(32, '0');
}

function fits({ type, isRequired, keyPlace }: ColumnInfo, value: unknown): boolean {
  if (value === null) return !isRequired && keyPlace === 0;
  if (keyPlace > 0 && typeof value === 'number' && value < 1) return false;
  if (type === 'text') return typeof value === 'string';
  return typeof value === 'number' && (type === 'real' || Number.isSafeInteger(value));
}

async function rowIn(line: Buffer, at: string): Promise<Map<string, unknown>> {
  let row: unknown;
  try {
    row =
      line.length <= bytesAtOnce ? parseJson(line) : await readJsonBody(line, { maxElements: elementsOfRow });
  } catch (error) {
    throw invalidBundle(`${at}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw invalidBundle(`${at} is no object`);
  return new Map(Object.entries(row));
}

/** JSON in a cell is parsed at once later on, which very many brackets would make long. */
async function refuseExcessiveCell(cell: unknown, at: string): Promise<void> {
  try {
    if (typeof cell === 'string') await refuseExcessiveJson(cell);
  } catch (error) {
    throw invalidBundle(`${at}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The lines of a text that are not empty. */
async function* linesOf(parts: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const part of parts) {
    let start = 0;
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, start)) {
      const line = Buffer.concat([...waiting, part.subarray(start, end)]);
      waiting = [];
      size = 0;
      start = end + 1;
      if (line.length > 0) yield line;
    }
    waiting.push(part.subarray(start));
    size += part.length - start;
    if (size > maxRowBytes) throw invalidBundle(`data/${name}.ndjson has a line that is too long`);
  }
  const rest = Buffer.concat(waiting);
  if (rest.length > 0) yield rest;
}
