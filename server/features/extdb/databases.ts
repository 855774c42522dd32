import { LRUCache } from 'lru-cache';
import { nearest } from '../../../grammar/suggest.ts';
import type { Clock } from '../../base/clock.ts';
import { apiError, invalid } from '../../base/errors.ts';
import type { Secrets } from '../../base/secrets.ts';
import { nameKey } from '../../base/text.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import { actions, listRows } from './actions.ts';
import { type ExtdbRows, type ExtdbTable, type ExtdbTableDetail, extdbLimits } from './model.ts';
import { OpenedDatabase } from './opened.ts';
import { type Arguments, parseInteger } from './query.ts';
import { tokenPurpose } from './service.ts';
import { ServiceClient } from './service-client.ts';
import type { StoredConnection } from './store.ts';

interface DatabasesDeps {
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly secrets: Pick<Secrets, 'open'>;
  /** Milliseconds that never go back. */
  readonly monotonic: Clock;
}

/** Longest time a result may be remembered, in seconds. */
const maxCacheSeconds = 86_400;

/** The external databases that connections lead to, by the names of the connections. */
export class ExternalDatabases {
  readonly #deps: DatabasesDeps;
  #connections: ReadonlyMap<string, StoredConnection>;
  /** Connections that have been used, by `name_key`. */
  readonly #opened = new Map<string, OpenedDatabase>();
  readonly #results: ResultCache;

  constructor(deps: DatabasesDeps, connections: readonly StoredConnection[]) {
    this.#deps = deps;
    this.#connections = byKey(connections);
    this.#results = new ResultCache(deps.monotonic);
  }

  /** Takes over a new list of connections. */
  use(connections: readonly StoredConnection[]): void {
    this.#connections = byKey(connections);
    this.#opened.clear();
    this.#results.clear();
  }

  has(connection: string): boolean {
    return this.#connections.has(nameKey(connection));
  }

  /**
   * Asks a service anew: its kind, its version and its tables.
   *
   * @throws ApiError `extdb.failed`
   */
  async test(connection: string): Promise<{ version: string; tables: number }> {
    const database = this.#open(connection);
    database.forget();
    const adapter = await database.adapter();
    const scope = { signal: AbortSignal.timeout(extdbLimits.schemaMs), bytes: 0 };
    const version = await adapter.version(scope);
    return { version: `${adapter.service} ${version}`.trim(), tables: (await database.tables()).length };
  }

  /** The readable tables, kept for one minute. @param fresh reads them anew */
  async tables(connection: string, fresh: boolean): Promise<ExtdbTable[]> {
    const database = this.#open(connection);
    if (fresh) database.forgetTables();
    return database.tables();
  }

  /** A table by what nodes call it; undefined if there is none. */
  table(connection: string, table: string): Promise<ExtdbTableDetail | undefined> {
    return this.#open(connection).table(table);
  }

  /**
   * A page of the rows of a table. Nothing of it is remembered.
   *
   * @param args as those of the action `list`
   * @throws ApiError `extdb.*`; `common.invalid` for arguments
   */
  async rows(connection: string, table: string, args: Arguments): Promise<ExtdbRows> {
    const scope = { signal: AbortSignal.timeout(extdbLimits.rowsMs), bytes: 0 };
    const { records, total, limit, offset, page, pages, has_more } = await listRows({
      database: this.#open(connection),
      args: { ...args, table },
      scope,
    });
    return { records: [...records], total, limit, offset, page, pages, has_more };
  }

  /**
   * Does what an `extdb` node or a function of `idb` asks for.
   *
   * @param action `list`, `get`, `create`, `update`, `delete`, `schema` or `tables`
   * @param args the configuration of the node after placeholders; `data` has the columns to write
   * @throws ApiError `extdb.*`; `common.invalid` for arguments
   */
  async call(connection: string, action: string, args: Arguments, signal: AbortSignal): Promise<unknown> {
    const definition = actions.get(action);
    if (definition === undefined) throw invalid('action', `must be one of ${[...actions.keys()].join(', ')}`);
    const database = this.#open(connection);
    const scope = { signal, bytes: 0 };
    if (definition.writes) {
      try {
        return await definition.run({ database, args, scope });
      } finally {
        this.#results.written(database.client.connection.name);
      }
    }
    const { cache, ...asked } = args;
    const seconds = parseInteger(cache, 'cache', 0, maxCacheSeconds) ?? 0;
    if (seconds === 0) return definition.run({ database, args, scope });
    const key = this.#results.key(database.client.connection.name, action, asked);
    const kept = this.#results.get(key);
    if (kept !== undefined) return kept.value;
    const value = await definition.run({ database, args, scope });
    this.#results.set(key, value, seconds, scope.bytes);
    return value;
  }

  /** @throws ApiError `extdb.connectionUnknown`, `storage.secretUndecryptable` */
  #open(connection: string): OpenedDatabase {
    const stored = this.#connections.get(nameKey(connection));
    if (stored === undefined) {
      const names = [...this.#connections.values()].map(({ name }) => name);
      const suggestion = nearest(connection, names);
      throw apiError('extdb.connectionUnknown', { connection, ...(suggestion && { suggestion }) });
    }
    const known = this.#opened.get(stored.name_key);
    if (known !== undefined) return known;
    const { name, url, token } = stored;
    const plain = token === '' ? '' : this.#deps.secrets.open(token, tokenPurpose);
    const client = new ServiceClient({ name, url, token: plain }, this.#deps.outgoing);
    const opened = new OpenedDatabase(client, this.#deps.monotonic);
    this.#opened.set(stored.name_key, opened);
    return opened;
  }
}

function byKey(connections: readonly StoredConnection[]): ReadonlyMap<string, StoredConnection> {
  return new Map(connections.map((connection) => [connection.name_key, connection]));
}

/** Most bytes of all results, and of one. */
const maxBytes = 32 * 2 ** 20;
const maxEntryBytes = 2 * 2 ** 20;

interface Entry {
  readonly json: string;
  readonly expiresAt: number;
}

/**
 * Results of reads that nodes want to be remembered (`cache`, in seconds).
 *
 * - Key: connection, action and arguments.
 * - An entry ends with its time, with a write through the same connection (other writers are not seen), and when
 *   the connections change.
 * - Limit: 32 MB; the least recently used entries are removed first. Results above 2 MB are not kept.
 */
export class ResultCache {
  readonly #clock: Clock;
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: ({ json }, key) => 2 * (json.length + key.length) + 100,
  });
  /** Number of writes by connection; part of the keys. */
  readonly #writes = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  key(connection: string, action: string, args: unknown): string {
    return JSON.stringify([connection, this.#writes.get(connection) ?? 0, action, args]);
  }

  /** A copy of the kept result. */
  get(key: string): { readonly value: unknown } | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt <= this.#clock()) return undefined;
    return { value: JSON.parse(entry.json) };
  }

  /** @param bytes size of the answers behind the result, so that nothing large is written as JSON in vain */
  set(key: string, value: unknown, seconds: number, bytes: number): void {
    if (bytes > maxEntryBytes) return;
    this.#entries.set(key, { json: JSON.stringify(value), expiresAt: this.#clock() + seconds * 1000 });
  }

  written(connection: string): void {
    this.#writes.set(connection, (this.#writes.get(connection) ?? 0) + 1);
  }

  clear(): void {
    this.#entries.clear();
  }
}
