import type { ExtdbTable, ExtdbTableDetail } from '../model.ts';
import type { Query } from '../query.ts';
import type { CallScope, ServiceClient } from '../service-client.ts';
import type { Adapter, Page, Row, Table } from './adapter.ts';
import { flagIn, listIn, numberIn, recordIn, rowsIn, textIn } from './reading.ts';

/** A service that speaks the protocol of its own description (README of this folder). */
export class NeutralAdapter implements Adapter {
  readonly service = 'The service';
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    const { token } = client.connection;
    this.#client = client.with(token === '' ? {} : { Authorization: `Bearer ${token}` });
  }

  async version(scope: CallScope): Promise<string> {
    return textIn(await this.#client.json({ path: '/api/v1/version' }, scope), 'version');
  }

  async tables(scope: CallScope): Promise<Omit<ExtdbTable, 'ref'>[]> {
    const tables = await this.#client.json({ path: '/api/v1/tables' }, scope);
    return listIn(tables).map((table) => tableOf(table));
  }

  async detail(table: ExtdbTable, scope: CallScope): Promise<ExtdbTableDetail> {
    const detail = await this.#client.json({ path: pathOf(table) }, scope);
    return {
      table,
      columns: listIn(recordIn(detail)['columns']).map((column) => ({
        name: textIn(column, 'name'),
        ui_type: textIn(column, 'ui_type'),
        field_kind: textIn(column, 'field_kind') || 'value',
        primary_key: flagIn(column, 'primary_key'),
        nullable: flagIn(column, 'nullable'),
      })),
      views: listIn(recordIn(detail)['views']).map((view) => ({
        id: textIn(view, 'id'),
        name: textIn(view, 'name'),
        type: textIn(view, 'type'),
        default: flagIn(view, 'default'),
      })),
    };
  }

  async list({ table }: Table, query: Query, scope: CallScope): Promise<Page> {
    const { where, sort, group, summary, view, limit, offset, fields } = query;
    const page = offset / limit + 1;
    const body = {
      ...(where === undefined ? {} : { where }),
      sort,
      group: group.map((col) => ({ col })),
      summary,
      ...(view === undefined ? {} : { view }),
      limit,
      page,
      ...(fields === undefined ? {} : { fields }),
    };
    const answer = await this.#client.json({ method: 'POST', path: `${pathOf(table)}/query`, body }, scope);
    const result = recordIn(answer);
    return {
      records: rowsIn(result['records']),
      total: numberIn(answer, 'total'),
      limit: numberIn(answer, 'limit') ?? limit,
      hasMore: flagIn(answer, 'has_more'),
      summary: result['summary'] ?? {},
      groups: listIn(result['groups']),
    };
  }

  async get({ table }: Table, pk: unknown, scope: CallScope): Promise<Row | undefined> {
    return this.#row({ path: recordPath(table, pk) }, scope);
  }

  async create({ table }: Table, record: Row, scope: CallScope): Promise<Row> {
    const path = `${pathOf(table)}/records`;
    return recordIn(await this.#client.json({ method: 'POST', path, body: record }, scope));
  }

  async update({ table }: Table, pk: unknown, record: Row, scope: CallScope): Promise<Row | undefined> {
    return this.#row({ method: 'PUT', path: recordPath(table, pk), body: record }, scope);
  }

  async remove({ table }: Table, pk: unknown, scope: CallScope): Promise<boolean> {
    const answer = await this.#client.send({ method: 'DELETE', path: recordPath(table, pk) }, scope);
    if (answer.status === 404) return false;
    this.#client.succeeded(answer);
    return true;
  }

  async #row(request: Parameters<ServiceClient['send']>[0], scope: CallScope): Promise<Row | undefined> {
    const answer = await this.#client.send(request, scope);
    return answer.status === 404 ? undefined : recordIn(this.#client.succeeded(answer).body);
  }
}

function tableOf(table: unknown): Omit<ExtdbTable, 'ref'> {
  return {
    id: textIn(table, 'id'),
    name: textIn(table, 'name'),
    schema: textIn(table, 'schema'),
    source: textIn(table, 'source'),
    source_id: textIn(table, 'source_id'),
    public_read: flagIn(table, 'public_read'),
  };
}

function pathOf({ id }: ExtdbTable): string {
  return `/api/v1/tables/${encodeURIComponent(id)}`;
}

function recordPath(table: ExtdbTable, pk: unknown): string {
  const key = typeof pk === 'object' ? JSON.stringify(pk) : String(pk);
  return `${pathOf(table)}/records/${encodeURIComponent(key)}`;
}
