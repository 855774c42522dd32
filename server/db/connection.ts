import Database from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import { attachOverlay, attachViews, type RowViews } from '../../runtime/content/overlay.ts';
import { type ContentOverlay, findContentOverlay } from '../base/content-overlay.ts';
import { WrittenTables } from './written-tables.ts';

/** A row by column name; values are text, number, bytes or null. */
export type Row = Record<string, unknown>;

export interface ConnectionOptions {
  readonly readonly?: boolean;
  /** How long a statement waits for a lock of another connection, in milliseconds. It blocks the thread. */
  readonly busyTimeoutMs?: number;
  /** Whether work with changes laid over content reads them too (`base/content-overlay.ts`). */
  readonly showsOverlay?: boolean;
  /** Rows that are laid over those of the file. */
  readonly overlayFile?: string | undefined;
  /** SELECTs in place of tables. */
  readonly views?: RowViews | undefined;
}

/**
 * One SQLite connection: Kysely for queries that differ from call to call, `statement()` for queries that are
 * prepared once. Both share one cache of prepared statements.
 *
 * Rows are read in better-sqlite3's raw mode and get their column names here: better-sqlite3 makes its own
 * object rows with a generated function, which `--disallow-code-generation-from-strings` forbids.
 */
export class Connection<Tables> {
  readonly kysely: Kysely<Tables>;
  /** What prepared queries have written. A write without one names its table here. */
  readonly writtenTables = new WrittenTables((sql) => this.statement(sql).all([]));
  /** By table: the ID of its next new row, which was promised before. The row takes it. */
  readonly promisedIds = new Map<string, number>();
  readonly #database: Database.Database;
  /** Path of the file, if its content may be shown with changes laid over it. */
  readonly #overlaidFile: string | undefined;
  readonly #statements = new Map<string, Statement>();
  /** Connections that show only what some callers may read. One that is dropped is closed when nothing uses it. */
  readonly #limited = new LRUCache<string, Connection<Tables>>({ max: maxLimited });

  constructor(file: string, options: ConnectionOptions = {}) {
    this.#database = new Database(file, {
      readonly: options.readonly ?? false,
      timeout: options.busyTimeoutMs ?? 5000,
    });
    const { overlayFile, views = {} } = options;
    const overlaid =
      overlayFile === undefined ? new Set<string>() : attachOverlay(this.#database, overlayFile);
    attachViews(this.#database, views, overlaid);
    this.#overlaidFile = options.showsOverlay === true ? file : undefined;
    this.setCacheSize(cacheKb);
    this.kysely = new Kysely<Tables>({
      dialect: new SqliteDialect({
        database: { prepare: (sql) => this.statement(sql), close: () => this.close() },
      }),
    });
  }

  /** True between BEGIN and COMMIT or ROLLBACK; some errors of SQLite end a transaction by themselves. */
  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** The prepared statement of this text, from the cache if it was used before. */
  statement(sql: string): Statement {
    return this.#findOverlaid()?.statement(sql) ?? this.#prepare(sql);
  }

  /** The connection that reads in place of this one, because changes lie over content. */
  #findOverlaid(): Connection<Tables> | undefined {
    const file = this.#overlaidFile;
    const overlay = file === undefined ? undefined : findContentOverlay();
    if (file === undefined || overlay === undefined) return undefined;
    return overlay.file === undefined ? this.#openLimited(file, overlay) : this.#openOverlaid(file, overlay);
  }

  #openOverlaid(file: string, overlay: ContentOverlay): Connection<Tables> {
    const { file: overlayFile, limits } = overlay;
    return overlay.open(
      file,
      () => new Connection<Tables>(file, { readonly: true, overlayFile, views: limits?.views }),
    );
  }

  #openLimited(file: string, { limits }: ContentOverlay): Connection<Tables> | undefined {
    if (limits === undefined) return undefined;
    const known = this.#limited.get(limits.key);
    const connection = known ?? new Connection<Tables>(file, { readonly: true, views: limits.views });
    this.#limited.set(limits.key, connection);
    return connection;
  }

  #prepare(sql: string): Statement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    if (this.#statements.size >= maxStatements) this.#forgetOldestStatement();
    const statement = new Statement(this.#database.prepare<unknown[], unknown[]>(sql));
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs one or more statements without parameters or rows. */
  execute(sql: string): void {
    const overlaid = this.#findOverlaid();
    if (overlaid === undefined) this.#database.exec(sql);
    else overlaid.execute(sql);
  }

  /** Makes a function of one text usable in the SQL of this connection. */
  define(name: string, compute: (text: string) => string): void {
    this.#database.function(name, { deterministic: true }, (text) => compute(String(text)));
  }

  /** How many rows this connection has inserted, changed or deleted so far. */
  totalChanges(): number {
    return Number(this.statement('SELECT total_changes() AS rows').first([])?.['rows']);
  }

  /** Reads or sets a pragma; returns its value. */
  pragma(source: string): unknown {
    return this.#database.pragma(source, { simple: true });
  }

  /** @param kb memory for pages of the file; without it as much as every connection has */
  setCacheSize(kb = cacheKb): void {
    this.#database.exec(`PRAGMA cache_size = ${-kb}`);
  }

  /**
   * Copies the state that the transaction of this connection sees into a new file, however much others write
   * meanwhile. Without a transaction that has read, every write of another process would begin the copy anew.
   */
  async copyTo(file: string): Promise<void> {
    await this.#database.backup(file, { progress: () => pagesPerStep });
  }

  close(): void {
    this.#statements.clear();
    for (const connection of this.#limited.values()) connection.close();
    this.#limited.clear();
    this.#database.close();
  }

  #forgetOldestStatement(): void {
    const oldest = this.#statements.keys().next();
    if (!oldest.done) this.#statements.delete(oldest.value);
  }
}

/**
 * Memory for pages of the file, in KB. better-sqlite3's default is 16 MB for each of five connections; what is not
 * in it is in the cache of the system.
 */
const cacheKb = 4 * 2 ** 10;

/** Pages that are copied before other work gets its turn: 4 MB. */
const pagesPerStep = 1024;

/** Most different limits of callers for which a connection stays open. */
const maxLimited = 16;

/** Far above the number of fixed queries; limits how many statements dynamic queries can add to the cache. */
const maxStatements = 500;

/** A prepared statement with named rows, in the shape Kysely's SQLite dialect expects. */
export class Statement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: Database.Statement<unknown[], unknown[]>;
  readonly #columns: readonly string[];

  constructor(statement: Database.Statement<unknown[], unknown[]>) {
    this.reader = statement.reader;
    this.#statement = statement.reader ? statement.raw() : statement;
    this.#columns = statement.reader ? statement.columns().map((column) => column.name) : [];
  }

  all(parameters: readonly unknown[]): Row[] {
    return this.#statement.all(parameters).map((values) => this.#toRow(values));
  }

  first(parameters: readonly unknown[]): Row | undefined {
    const values = this.#statement.get(parameters);
    return values === undefined ? undefined : this.#toRow(values);
  }

  run(parameters: readonly unknown[]): Database.RunResult {
    return this.#statement.run(parameters);
  }

  *iterate(parameters: readonly unknown[]): IterableIterator<Row> {
    for (const values of this.#statement.iterate(parameters)) yield this.#toRow(values);
  }

  #toRow(values: readonly unknown[]): Row {
    const row: Row = {};
    for (let index = 0; index < this.#columns.length; index++) {
      row[this.#columns[index] ?? ''] = values[index];
    }
    return row;
  }
}
