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
import { ResultCache } from './result-cache.ts';
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
