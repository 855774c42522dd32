import { apiError, invalid } from '../../../../base/errors.ts';
import type { Condition } from '../../conditions.ts';
import type { ExtdbTable, ExtdbTableDetail } from '../../model.ts';
import type { Query } from '../../query.ts';
import type { CallScope, ServiceAnswer, ServiceClient } from '../../service-client.ts';
import type { Adapter, Page, Row, Table } from '../adapter.ts';
import { primaryKey } from '../primary-key.ts';
import { rowsIn, textIn } from '../reading.ts';
import { type Description, isDescription, readDescription } from './description.ts';
import { quoted, toPostgrestFilter } from './filter.ts';

const service = 'PostgREST';

/** PostgREST: tables and columns come from the OpenAPI description at its root. */
export class PostgrestAdapter implements Adapter {
  readonly service = service;
  readonly #client: ServiceClient;
  readonly #hasToken: boolean;

  constructor(client: ServiceClient) {
    const { token } = client.connection;
    this.#hasToken = token !== '';
    this.#client = client.with(token === '' ? {} : { Authorization: `Bearer ${token}` });
  }

  async version(scope: CallScope): Promise<string> {
    return (await this.#describe(this.#client, scope)).version;
  }

  async tables(scope: CallScope): Promise<Omit<ExtdbTable, 'ref'>[]> {
    const { tables } = await this.#describe(this.#client, scope);
    const isPublic = this.#hasToken ? await this.#publicTables(scope) : () => true;
    return tables.map((table) => ({ ...table, public_read: isPublic(table.name) }));
  }

  async detail(table: ExtdbTable, scope: CallScope): Promise<ExtdbTableDetail> {
    const { columns } = await this.#describe(this.#client, scope);
    return { table, columns: [...(columns.get(table.name) ?? [])], views: [] };
  }

  async list(table: Table, query: Query, scope: CallScope): Promise<Page> {
    if (query.view !== undefined)
      throw unsupported('it has no saved views; make a database view and use it as the table');
    const filter = query.where === undefined ? {} : toPostgrestFilter(query.where);
    const page = query.wantsRecords ? await this.#page(table, query, filter, scope) : nothing;
    const { summary, group } = query;
    const groups =
      group.length === 0 ? [] : readGroups(query, await this.#aggregate(table, query, filter, scope));
    const totals =
      summary.length === 0
        ? {}
        : readSummary(summary, (await this.#aggregate(table, { ...query, group: [] }, filter, scope))[0]);
    return { ...page, groups, summary: totals };
  }

  async get(table: Table, pk: unknown, scope: CallScope): Promise<Row | undefined> {
    const query = { ...filterByKey(table, pk), limit: '1' };
    return rowsIn(await this.#client.json({ path: pathOf(table), query }, scope))[0];
  }

  async create(table: Table, record: Row, scope: CallScope): Promise<Row> {
    const request = { method: 'POST', path: pathOf(table), headers: returning, body: record } as const;
    return rowsIn(await this.#client.json(request, scope))[0] ?? record;
  }

  async update(table: Table, pk: unknown, record: Row, scope: CallScope): Promise<Row | undefined> {
    const query = filterByKey(table, pk);
    const request = {
      method: 'PATCH',
      path: pathOf(table),
      query,
      headers: returning,
      body: record,
    } as const;
    return rowsIn(await this.#client.json(request, scope))[0];
  }

  async remove(table: Table, pk: unknown, scope: CallScope): Promise<boolean> {
    const request = {
      method: 'DELETE',
      path: pathOf(table),
      query: filterByKey(table, pk),
      headers: { Prefer: 'return=minimal, count=exact' },
    } as const;
    const answer = this.#client.succeeded(await this.#client.send(request, scope));
    return totalOf(answer) !== 0;
  }

  async #page(
    { table, columns }: Table,
    { fields, sort, limit, offset, wantsTotal }: Query,
    filter: Readonly<Record<string, string>>,
    scope: CallScope,
  ): Promise<Page> {
    // Without an order, rows may come in another one for each page.
    const keys = columns
      .filter(({ primary_key }) => primary_key)
      .map(({ name }) => ({ col: name, desc: false }));
    const order = sort.length > 0 ? sort : wantsTotal ? keys : [];
    const request = {
      path: pathOf({ table }),
      query: {
        ...(fields === undefined ? {} : { select: fields.map(quoted).join(',') }),
        ...filter,
        ...(order.length === 0
          ? {}
          : { order: order.map(({ col, desc }) => `${quoted(col)}.${desc ? 'desc' : 'asc'}`).join(',') }),
        // One more row tells whether there are further ones.
        limit: String(wantsTotal ? limit : limit + 1),
        offset: String(offset),
      },
      headers: wantsTotal ? { Prefer: 'count=exact' } : {},
    };
    const answer = await this.#client.send(request, scope);
    const total = wantsTotal ? totalOf(answer) : undefined;
    // 416: the page begins behind the last row.
    const found = answer.status === 416 ? [] : rowsIn(this.#client.succeeded(answer).body);
    const hasMore = total === undefined ? found.length > limit : offset + found.length < total;
    return { ...nothing, records: found.slice(0, limit), total, limit, hasMore: hasMore && found.length > 0 };
  }

  async #aggregate(
    table: Table,
    query: Query,
    filter: Readonly<Record<string, string>>,
    scope: CallScope,
  ): Promise<Row[]> {
    const { group, limit, offset } = query;
    const order = group.map((col) => `${quoted(col)}.asc`).join(',');
    const paging =
      group.length === 0
        ? {}
        : { order, limit: String(limit), offset: String(query.wantsRecords ? 0 : offset) };
    const answer = await this.#client.send(
      { path: pathOf(table), query: { select: selectedAggregates(query), ...filter, ...paging } },
      scope,
    );
    if (textIn(answer.body, 'code') === aggregatesOff)
      throw unsupported(
        'group and summary are switched off there; set db-aggregates-enabled, or read the rows and sum them up in a function node',
      );
    return rowsIn(this.#client.succeeded(answer).body);
  }

  /** The tables that the service shows to callers without a token. */
  async #publicTables(scope: CallScope): Promise<(name: string) => boolean> {
    const answer = await this.#client.with({}).send(descriptionRequest, scope);
    const shown = isDescription(answer.body) ? readDescription(answer.body).columns : undefined;
    return (name) => shown?.has(name) === true;
  }

  async #describe(client: ServiceClient, scope: CallScope): Promise<Description> {
    const body = await client.json(descriptionRequest, scope);
    if (!isDescription(body)) throw client.failed('its description is not that of PostgREST');
    return readDescription(body);
  }
}

/** Asks for the description of the whole service. */
export const descriptionRequest = { path: '/', headers: { Accept: 'application/openapi+json' } } as const;

/** The error of PostgREST for aggregates that are switched off. */
const aggregatesOff = 'PGRST123';

const returning = { Prefer: 'return=representation' };

const nothing: Page = { records: [], total: undefined, limit: 0, hasMore: false, summary: {}, groups: [] };

function pathOf({ table }: Pick<Table, 'table'>): string {
  return `/${encodeURIComponent(table.name)}`;
}

function filterByKey(table: Table, pk: unknown): Readonly<Record<string, string>> {
  const values = primaryKey(table, pk, service);
  const conditions: Condition[] = values.map(([col, val]) => ({ col, op: 'eq', val }));
  // Without a condition the request would be about all rows.
  if (conditions.length === 0) throw invalid('pk', 'must not be empty');
  return toPostgrestFilter({ and: conditions });
}

/** The number behind the slash of `Content-Range: 0-24/3573`. */
function totalOf({ headers }: ServiceAnswer): number | undefined {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}

function unsupported(reason: string) {
  return apiError('extdb.unsupported', { service, reason });
}

/** The `select` of groups and sums. PostgREST groups by the plain columns of it. */
function selectedAggregates({ group, summary }: Pick<Query, 'group' | 'summary'>): string {
  return [
    ...group.map((col, index) => `g${index}:${quoted(col)}`),
    ...(group.length === 0 ? [] : ['n:count()']),
    ...summary.map(({ col, fn }, index) => `s${index}:${quoted(col)}.${fn.toLowerCase()}()`),
  ].join(',');
}

/** Sums by column and function. */
function readSummary(
  summary: Query['summary'],
  row: Row = {},
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const sums = new Map<string, Record<string, unknown>>();
  for (const [index, { col, fn }] of summary.entries()) {
    const ofColumn = sums.get(col) ?? {};
    ofColumn[fn] = row[`s${index}`] ?? null;
    sums.set(col, ofColumn);
  }
  return Object.fromEntries(sums);
}

function readGroups({ group, summary }: Pick<Query, 'group' | 'summary'>, rows: readonly Row[]): unknown[] {
  return rows.map((row) => ({
    values: Object.fromEntries(group.map((col, index) => [col, row[`g${index}`] ?? null])),
    count: row['n'] ?? 0,
    summary: readSummary(summary, row),
  }));
}
