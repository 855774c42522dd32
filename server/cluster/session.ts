import { LostConnection, PgConnection, type PgConnectionOptions, type PgRow } from './connection.ts';

export type SessionOptions = Omit<PgConnectionOptions, 'onLost'>;

/**
 * The connection to PostgreSQL for one purpose, opened when it is needed and again after it was lost. For statements
 * that need no other before them: whoever needs the same connection for several takes it with `connect`.
 */
export class Session {
  readonly #options: SessionOptions;
  #open: PgConnection | undefined;
  #connecting: Promise<PgConnection> | undefined;
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Like `PgConnection.query`, on the connection that there is now or on a new one. */
  async query(sql: string, silenceMs?: number): Promise<PgRow[][]> {
    const connection = await this.connect();
    return connection.query(sql, silenceMs);
  }

  /** The connection that there is now, or a new one. @throws LostConnection; the error of the server */
  async connect(): Promise<PgConnection> {
    if (this.#isClosed) throw new LostConnection('the connection is closed');
    if (this.#open !== undefined) return this.#open;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Ends the connection without a word; a transaction of it ends without effect. */
  drop(): void {
    this.#open?.drop();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#open?.close();
    this.#open = undefined;
  }

  async #connect(): Promise<PgConnection> {
    const connection = await PgConnection.open({
      ...this.#options,
      onLost: (lost) => {
        if (this.#open === lost) this.#open = undefined;
      },
    });
    if (this.#isClosed) {
      await connection.close();
      throw new LostConnection('the connection is closed');
    }
    if (connection.isOpen) this.#open = connection;
    return connection;
  }
}
