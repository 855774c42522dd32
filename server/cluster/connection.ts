import { Socket } from 'node:net';
import pg from 'pg';

/** A row by column name; whole numbers are numbers. */
export type PgRow = Readonly<Record<string, unknown>>;

/** The connection has ended, or no answer came in time: nobody knows whether the statements have run. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection';
}

export interface PgConnectionOptions {
  /** Address of the database, `postgres://...`. */
  readonly url: string;
  /** What the connection is for; PostgreSQL shows it in its lists. */
  readonly purpose: string;
  /** Statements for the new connection. */
  readonly setup?: string;
  onNotification?(channel: string, payload: string): void;
  /** Called once, when the open connection has ended for any reason but `close`. */
  onLost(connection: PgConnection): void;
}

/** How long connecting may take, and the silence of a statement that names no other, in milliseconds. */
const connectMs = 2_000;
const defaultMs = 5_000;
/** When an idle connection is probed by TCP, in milliseconds. */
const keepAliveMs = 2_000;

/**
 * What this program relies on, whatever the server, the database or the role is set to. The time limits of idle
 * transactions and of locks are those of each purpose. `remote_apply` may stay, because it promises more than `on`.
 */
const pinnedSettings = `SET standard_conforming_strings = on; SET client_encoding = UTF8;
  SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;
  SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
  SELECT set_config(name, '0', false) FROM pg_settings
    WHERE name IN ('statement_timeout', 'idle_session_timeout', 'transaction_timeout', 'lock_timeout',
      'idle_in_transaction_session_timeout');`;

/**
 * One connection to PostgreSQL. It never connects again: after its loss every statement throws. So whoever has begun
 * a transaction or acquired a lock on it knows that both exist as long as statements succeed.
 */
export class PgConnection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #options: PgConnectionOptions;
  #isOpen = true;
  #running = 0;

  private constructor(client: pg.Client, socket: Socket, options: PgConnectionOptions) {
    this.#client = client;
    this.#socket = socket;
    this.#options = options;
    client.on('error', () => this.drop());
    client.on('end', () => this.drop());
    if (options.onNotification !== undefined)
      client.on('notification', ({ channel, payload = '' }) => options.onNotification?.(channel, payload));
  }

  /** @throws LostConnection; the error of the server */
  static async open(options: PgConnectionOptions): Promise<PgConnection> {
    const socket = new Socket();
    socket.setKeepAlive(true, keepAliveMs);
    const client = new pg.Client({
      connectionString: options.url,
      application_name: `incipit ${options.purpose}`,
      connectionTimeoutMillis: connectMs,
      stream: () => socket,
      types: { getTypeParser },
    });
    const connection = new PgConnection(client, socket, options);
    try {
      await client.connect();
    } catch (error) {
      connection.#end();
      throw toConnectionError(error);
    }
    try {
      await connection.query(pinnedSettings + (options.setup ?? ''));
    } catch (error) {
      connection.#end();
      throw error;
    }
    return connection;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether no statement is under way. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /**
   * Runs statements that are separated by semicolons. They reach the server together; after one that fails, none of
   * those behind it runs.
   *
   * @param silenceMs how long nothing may arrive before the connection is given up
   * @returns the rows of each statement
   * @throws LostConnection; the error of the server
   */
  async query(sql: string, silenceMs = defaultMs): Promise<PgRow[][]> {
    if (!this.#isOpen) throw new LostConnection('the connection has ended');
    let heard = { at: performance.now(), bytes: this.#socket.bytesRead };
    const timer = setInterval(() => {
      if (this.#socket.bytesRead !== heard.bytes)
        heard = { at: performance.now(), bytes: this.#socket.bytesRead };
      else if (performance.now() - heard.at >= silenceMs) this.drop();
    }, silenceMs / 4);
    this.#running += 1;
    try {
      // Type boundary: the library answers several statements with a list of results.
      const answer = (await this.#client.query(sql)) as pg.QueryResult | pg.QueryResult[];
      return (Array.isArray(answer) ? answer : [answer]).map(({ rows }) => rows as PgRow[]);
    } catch (error) {
      const thrown = toConnectionError(error);
      if (thrown instanceof LostConnection) this.drop();
      throw thrown;
    } finally {
      this.#running -= 1;
      clearInterval(timer);
    }
  }

  /** Ends the connection without a word; a transaction of it ends without effect. */
  drop(): void {
    if (!this.#isOpen) return;
    this.#end();
    this.#options.onLost(this);
  }

  /** Ends the connection in an orderly way. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const timer = setTimeout(() => this.#socket.destroy(), 1000);
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }

  #end(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }
}

/** The errors of the library and of a server that ends are a lost connection; others stay as they are. */
function toConnectionError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !endsConnection(error)) return error;
  return new LostConnection(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Whether the server has ended the connection with this error, as when it stops or restarts. */
function endsConnection({ code = '', severity = '' }: pg.DatabaseError): boolean {
  return severity === 'FATAL' || code.startsWith('57P') || code.startsWith('08');
}

/** Whether another transaction held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

const int8 = 20;

/** Whole numbers of 64 bits are numbers here: no ID and no version is greater than 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === int8 ? Number : pg.types.getTypeParser(oid, format ?? 'text');
}

/** A text in SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
