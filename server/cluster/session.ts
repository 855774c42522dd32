import { Socket } from 'node:net';
import pg from 'pg';
import type { Log } from '../base/log.ts';

/** A row by column name; whole numbers are numbers. */
export type PgRow = Readonly<Record<string, unknown>>;

/** The connection has ended, or no answer came in time: nobody knows whether the statements have run. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection';
}

export interface SessionOptions {
  /** Address of the database, `postgres://...`. */
  readonly url: string;
  /** What the connection is for; PostgreSQL shows it in its lists. */
  readonly purpose: string;
  readonly log: Log;
  /** Statements for each new connection. */
  readonly setup?: string;
  onNotification?(channel: string, payload: string): void;
  /** Called when an open connection has ended without `close`. */
  onLost?(): void;
}

interface Open {
  readonly client: pg.Client;
  readonly socket: Socket;
}

/** How long connecting may take, and the silence of a statement that names no other, in milliseconds. */
const connectMs = 2_000;
const defaultMs = 5_000;

/** Texts keep to one form of quotes whatever the server is set to; times of idle transactions are each session's own. */
const always = 'SET standard_conforming_strings = on; SET client_encoding = UTF8;';

/**
 * One connection to PostgreSQL, made when it is needed and made anew after it was lost. Its statements run one after
 * the other. A connection that does not answer in time is given up, because its state is unknown.
 */
export class Session {
  readonly #options: SessionOptions;
  #open: Open | undefined;
  #connecting: Promise<Open> | undefined;
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#open !== undefined;
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
    const { client, socket } = await this.connect();
    let heard = { at: performance.now(), bytes: socket.bytesRead };
    const timer = setInterval(() => {
      if (socket.bytesRead !== heard.bytes) heard = { at: performance.now(), bytes: socket.bytesRead };
      else if (performance.now() - heard.at >= silenceMs) this.#drop(client);
    }, silenceMs / 4);
    try {
      // Type boundary: the library answers several statements with a list of results.
      const answer = (await client.query(sql)) as pg.QueryResult | pg.QueryResult[];
      return (Array.isArray(answer) ? answer : [answer]).map(({ rows }) => rows as PgRow[]);
    } catch (error) {
      if (error instanceof pg.DatabaseError && !isLast(error)) throw error;
      this.#drop(client);
      throw new LostConnection(messageOf(error), { cause: error });
    } finally {
      clearInterval(timer);
    }
  }

  /** Connects if there is no connection. @throws LostConnection */
  async connect(): Promise<Open> {
    if (this.#isClosed) throw new LostConnection('the connection is closed');
    if (this.#open !== undefined) return this.#open;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Gives the connection up at once; a transaction of it ends without effect. */
  drop(): void {
    if (this.#open !== undefined) this.#drop(this.#open.client);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const timer = setTimeout(() => open.socket.destroy(), 1000);
    await open.client.end().catch(() => {});
    clearTimeout(timer);
  }

  async #connect(): Promise<Open> {
    const { url, purpose, onNotification, setup = '' } = this.#options;
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: url,
      application_name: `incipit ${purpose}`,
      connectionTimeoutMillis: connectMs,
      stream: () => socket,
      types: { getTypeParser },
    });
    const open: Open = { client, socket };
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    if (onNotification !== undefined)
      client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload));
    try {
      await client.connect();
      await client.query(always + setup);
    } catch (error) {
      socket.destroy();
      throw error instanceof pg.DatabaseError && !isLast(error)
        ? error
        : new LostConnection(messageOf(error), { cause: error });
    }
    if (this.#isClosed) {
      socket.destroy();
      throw new LostConnection('the connection is closed');
    }
    this.#open = open;
    return open;
  }

  #drop(client: pg.Client): void {
    if (this.#open?.client !== client) return;
    const { socket } = this.#open;
    this.#open = undefined;
    socket.destroy();
    if (!this.#isClosed) this.#options.onLost?.();
  }
}

/** Whether the server has ended the connection with this error, as when it stops or restarts. */
function isLast({ code = '', severity = '' }: pg.DatabaseError): boolean {
  return severity === 'FATAL' || code.startsWith('57P') || code.startsWith('08');
}

/** Whether another transaction kept a lock for too long. */
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
