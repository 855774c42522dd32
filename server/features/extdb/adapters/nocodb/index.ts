import type { ExtdbTable, ExtdbTableDetail } from '../../model.ts';
import type { Query } from '../../query.ts';
import type { CallScope, ServiceClient } from '../../service-client.ts';
import type { Adapter, Page, Row, Table } from '../adapter.ts';
import { primaryKey } from '../primary-key.ts';
import { textIn } from '../reading.ts';
import { type Key, type NocoApi, type NocoTable, noPage } from './api.ts';
import { toNocoFilter } from './filter.ts';
import { basesRequest, NocoV2 } from './v2.ts';
import { NocoV3 } from './v3.ts';

const service = 'NocoDB';

/**
 * NocoDB, through its API v2, which can do more, else through v3. A data source is a base. Columns are named by
 * their titles; where names would be ambiguous, requests use IDs.
 */
export class NocodbAdapter implements Adapter {
  readonly service = service;
  readonly #client: ServiceClient;
  #version: Promise<NocoApi> | undefined;
  /** What is known of the tables that callers hold. */
  readonly #known = new WeakMap<ExtdbTableDetail, NocoTable>();

  constructor(client: ServiceClient) {
    const { token } = client.connection;
    this.#client = client.with(token === '' ? {} : { 'xc-token': token });
  }

  async version(scope: CallScope): Promise<string> {
    const { body } = await this.#client.send({ path: '/api/v1/version' }, scope);
    const version = textIn(body, 'currentVersion');
    // NocoDB's own service answers with a text.
    return version || textIn(await this.#client.json({ path: '/api/v2/meta/nocodb/info' }, scope), 'version');
  }

  async tables(scope: CallScope): Promise<Omit<ExtdbTable, 'ref'>[]> {
    return (await this.#api(scope)).tables(scope);
  }

  async detail(table: ExtdbTable, scope: CallScope): Promise<ExtdbTableDetail> {
    const known = await (await this.#api(scope)).table(table, scope);
    this.#known.set(known.detail, known);
    return known.detail;
  }

  async list(table: Table, query: Query, scope: CallScope): Promise<Page> {
    const api = await this.#api(scope);
    const known = this.#tableOf(table);
    const { where, view } = query;
    const filter = {
      ...(where === undefined ? {} : { filterArrJson: JSON.stringify(toNocoFilter(where, known.columns)) }),
      ...(view === undefined ? {} : { viewId: view }),
    };
    const page = query.wantsRecords ? await api.page(known, query, filter, scope) : noPage;
    const groups = query.group.length === 0 ? [] : await api.groups(known, query, filter, scope);
    const summary = query.summary.length === 0 ? {} : await api.summary(known, query, filter, scope);
    return { ...page, groups, summary };
  }

  async get(table: Table, pk: unknown, scope: CallScope): Promise<Row | undefined> {
    return (await this.#api(scope)).get(this.#tableOf(table), keyOf(table, pk), scope);
  }

  async create(table: Table, record: Row, scope: CallScope): Promise<Row> {
    return (await this.#api(scope)).create(this.#tableOf(table), record, scope);
  }

  async update(table: Table, pk: unknown, record: Row, scope: CallScope): Promise<Row | undefined> {
    return (await this.#api(scope)).update(this.#tableOf(table), keyOf(table, pk), record, scope);
  }

  async remove(table: Table, pk: unknown, scope: CallScope): Promise<boolean> {
    return (await this.#api(scope)).remove(this.#tableOf(table), keyOf(table, pk), scope);
  }

  /** The version of the API, found out once. */
  #api(scope: CallScope): Promise<NocoApi> {
    const version = this.#version ?? this.#findVersion(scope);
    this.#version = version;
    version.catch(() => {
      if (this.#version === version) this.#version = undefined;
    });
    return version;
  }

  async #findVersion(scope: CallScope): Promise<NocoApi> {
    const { status } = await this.#client.send(basesRequest, scope);
    return status === 404 ? new NocoV3(this.#client) : new NocoV2(this.#client);
  }

  #tableOf(table: Table): NocoTable {
    const known = this.#known.get(table);
    if (known === undefined) throw new Error(`the table ${table.table.id} was not described by this adapter`);
    return known;
  }
}

function keyOf(table: Table, pk: unknown): Key {
  return Object.fromEntries(primaryKey(table, pk, service));
}
