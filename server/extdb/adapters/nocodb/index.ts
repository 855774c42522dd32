import { apiError } from '../../../errors.ts';
import type { ExtdbTable, ExtdbTableDetail } from '../../model.ts';
import type { Query } from '../../query.ts';
import type { CallScope, ServiceAnswer, ServiceClient, ServiceRequest } from '../../service-client.ts';
import type { Adapter, Page, Row, Table } from '../adapter.ts';
import { primaryKey } from '../primary-key.ts';
import { listIn, numberIn, recordIn, rowsIn, textIn } from '../reading.ts';
import { addSums, summaryRequests } from './aggregates.ts';
import { filterOf } from './filter.ts';
import { type NocoTable, readTable, readTables } from './schema.ts';

const service = 'NocoDB';

/** Most bases whose tables are listed. */
const maxBases = 200;

/**
 * NocoDB, through its API v2, which its versions with API v3 have too. A data source is a base. Columns are
 * named by their titles; where names would be ambiguous, requests use IDs.
 */
export class NocodbAdapter implements Adapter {
  readonly service = service;
  readonly #client: ServiceClient;
  /** What is known of the tables that callers hold. */
  readonly #known = new WeakMap<ExtdbTableDetail, NocoTable>();

  constructor(client: ServiceClient) {
    const { token } = client.connection;
    this.#client = client.with(token === '' ? {} : { 'xc-token': token });
  }

  async version(scope: CallScope): Promise<string> {
    return textIn(await this.#client.json({ path: '/api/v2/meta/nocodb/info' }, scope), 'version');
  }

  async tables(scope: CallScope): Promise<Omit<ExtdbTable, 'ref'>[]> {
    const answer = await this.#client.json({ path: '/api/v2/meta/bases/' }, scope);
    const tables: Omit<ExtdbTable, 'ref'>[] = [];
    for (const base of listIn(recordIn(answer)['list']).slice(0, maxBases)) {
      const path = `/api/v2/meta/bases/${encodeURIComponent(textIn(base, 'id'))}/tables`;
      tables.push(...readTables(base, await this.#client.json({ path }, scope)));
    }
    return tables;
  }

  async detail(table: ExtdbTable, scope: CallScope): Promise<ExtdbTableDetail> {
    const path = `/api/v2/meta/tables/${encodeURIComponent(table.id)}`;
    const known = readTable(table, await this.#client.json({ path }, scope));
    this.#known.set(known.detail, known);
    return known.detail;
  }

  async list(table: Table, query: Query, scope: CallScope): Promise<Page> {
    const known = this.#tableOf(table);
    const { where, view } = query;
    const filter = {
      ...(where === undefined ? {} : { filterArrJson: JSON.stringify(filterOf(where, known.columns)) }),
      ...(view === undefined ? {} : { viewId: view }),
    };
    const page = query.wantsRecords ? await this.#page(known, query, filter, scope) : nothing;
    const groups = query.group.length === 0 ? [] : await this.#groups(known, query, filter, scope);
    const summary = query.summary.length === 0 ? {} : await this.#summary(known, query, filter, scope);
    return { ...page, groups, summary };
  }

  async get(table: Table, pk: unknown, scope: CallScope): Promise<Row | undefined> {
    const known = this.#tableOf(table);
    const values = primaryKey(table, pk, service).map(([, value]) => String(value));
    // NocoDB joins the values of a key with three underscores.
    const path = `${recordsOf(known)}/${encodeURIComponent(values.join('___'))}`;
    const answer = await this.#client.send({ path }, scope);
    if (isMissing(answer)) return undefined;
    return withoutHidden(recordIn(this.#client.succeeded(answer).body), known);
  }

  async create(table: Table, record: Row, scope: CallScope): Promise<Row> {
    const request = { method: 'POST', path: recordsOf(this.#tableOf(table)), body: record } as const;
    const key = recordIn(await this.#client.json(request, scope));
    const hasKey = table.columns.some(({ primary_key, name }) => primary_key && Object.hasOwn(key, name));
    return (hasKey ? await this.get(table, key, scope) : undefined) ?? { ...record, ...key };
  }

  async update(table: Table, pk: unknown, record: Row, scope: CallScope): Promise<Row | undefined> {
    const key = Object.fromEntries(primaryKey(table, pk, service));
    const answer = await this.#write('PATCH', table, { ...record, ...key }, scope);
    return answer === undefined ? undefined : this.get(table, key, scope);
  }

  async remove(table: Table, pk: unknown, scope: CallScope): Promise<boolean> {
    const key = Object.fromEntries(primaryKey(table, pk, service));
    return (await this.#write('DELETE', table, key, scope)) !== undefined;
  }

  /** Undefined if there is no such row. */
  async #write(
    method: 'PATCH' | 'DELETE',
    table: Table,
    body: Row,
    scope: CallScope,
  ): Promise<ServiceAnswer | undefined> {
    const answer = await this.#client.send({ method, path: recordsOf(this.#tableOf(table)), body }, scope);
    return isMissing(answer) ? undefined : this.#client.succeeded(answer);
  }

  async #page(
    known: NocoTable,
    { fields, sort, limit, offset }: Query,
    filter: Readonly<Record<string, string>>,
    scope: CallScope,
  ): Promise<Page> {
    const order = sort.map(({ col, desc }) => ({
      fk_column_id: known.columns.get(col)?.id,
      direction: desc ? 'desc' : 'asc',
    }));
    const query: ServiceRequest['query'] = {
      ...filter,
      ...(order.length === 0 ? {} : { sortArrJson: JSON.stringify(order) }),
      // Several parameters are a list; a single one would be split at its commas.
      ...(fields === undefined ? {} : { fields: [...fields, ...fields.slice(0, 1)] }),
      limit: String(limit),
      offset: String(offset),
    };
    const answer = await this.#client.send({ path: recordsOf(known), query }, scope);
    if (textIn(answer.body, 'error') === offsetBehindEnd) return { ...nothing, limit };
    const { list, pageInfo } = recordIn(this.#client.succeeded(answer).body);
    const records = rowsIn(list).map((row) => withoutHidden(row, known));
    const total = numberIn(pageInfo, 'totalRows') ?? 0;
    return {
      ...nothing,
      records,
      total,
      limit: numberIn(pageInfo, 'pageSize') ?? limit,
      hasMore: offset + records.length < total,
    };
  }

  async #summary(
    known: NocoTable,
    { summary }: Query,
    filter: Readonly<Record<string, string>>,
    scope: CallScope,
  ): Promise<unknown> {
    const sums = new Map<string, Record<string, unknown>>();
    for (const request of summaryRequests(summary, known.columns)) {
      const query = { ...filter, aggregation: JSON.stringify(request.aggregations) };
      const path = `/api/v2/tables/${encodeURIComponent(known.detail.table.id)}/aggregate`;
      addSums(sums, request, recordIn(await this.#client.json({ path, query }, scope)));
    }
    return Object.fromEntries(sums);
  }

  /** Groups with their counts; NocoDB has them in its API v1 only, without sums. */
  async #groups(
    known: NocoTable,
    { group, summary, limit, offset, wantsRecords }: Query,
    { filterArrJson, viewId }: Readonly<Record<string, string>>,
    scope: CallScope,
  ): Promise<unknown[]> {
    if (group.some((col) => col.includes(',')))
      throw unsupported('it cannot group by a column with a comma in its name; rename the column');
    if (summary.length > 0 && !wantsRecords)
      throw unsupported(
        'its groups have counts only; ask for the summary without groups, or sum up the rows in a function node',
      );
    const { id, source_id } = known.detail.table;
    const view = viewId === undefined ? '' : `/views/${encodeURIComponent(viewId)}`;
    const path = `/api/v1/db/data/noco/${encodeURIComponent(source_id)}/${encodeURIComponent(id)}${view}/groupby`;
    const query = {
      column_name: group.join(','),
      ...(filterArrJson === undefined ? {} : { filterArrJson }),
      limit: String(limit),
      offset: String(wantsRecords ? 0 : offset),
    };
    const answer = await this.#client.json({ path, query }, scope);
    return rowsIn(recordIn(answer)['list']).map((row) => ({
      values: Object.fromEntries(group.map((col) => [col, row[col] ?? null])),
      count: Number(row['count'] ?? 0),
      summary: {},
    }));
  }

  #tableOf(table: Table): NocoTable {
    const known = this.#known.get(table);
    if (known === undefined) throw new Error(`the table ${table.table.id} was not described by this adapter`);
    return known;
  }
}

/** The error of NocoDB for a page that begins behind the last row. */
const offsetBehindEnd = 'ERR_INVALID_OFFSET_VALUE';

const nothing: Page = { records: [], total: 0, limit: 0, hasMore: false, summary: {}, groups: [] };

function recordsOf({ detail }: NocoTable): string {
  return `/api/v2/tables/${encodeURIComponent(detail.table.id)}/records`;
}

/** A key that cannot be one, such as a text for a number, belongs to no row either. */
function isMissing({ status, body }: ServiceAnswer): boolean {
  return status === 404 || textIn(body, 'error') === 'ERR_INVALID_PK_VALUE';
}

function withoutHidden(row: Row, { hidden }: NocoTable): Row {
  return hidden.size === 0
    ? row
    : Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name)));
}

function unsupported(reason: string) {
  return apiError('extdb.unsupported', { service, reason });
}
