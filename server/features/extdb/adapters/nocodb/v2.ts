import { apiError } from '../../../../base/errors.ts';
import type { ExtdbTable } from '../../model.ts';
import type { Query } from '../../query.ts';
import type { CallScope, ServiceAnswer, ServiceClient } from '../../service-client.ts';
import type { Page, Row } from '../adapter.ts';
import { listIn, numberIn, recordIn, rowsIn, textIn } from '../reading.ts';
import { addSums, summaryRequests } from './aggregates.ts';
import {
  isMissing,
  type Key,
  keyText,
  maxBases,
  type NocoApi,
  type NocoTable,
  noPage,
  offsetBehindEnd,
  type RowFilter,
} from './api.ts';
import { readTables, readTableV2 } from './schema.ts';

/** NocoDB's API v2, which its versions with API v3 have too (tried with 0.301.3). */
export class NocoV2 implements NocoApi {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  async tables(scope: CallScope): Promise<Omit<ExtdbTable, 'ref'>[]> {
    const answer = await this.#client.json(basesRequest, scope);
    const tables: Omit<ExtdbTable, 'ref'>[] = [];
    for (const base of listIn(recordIn(answer)['list']).slice(0, maxBases)) {
      const path = `${basesRequest.path}${encodeURIComponent(textIn(base, 'id'))}/tables`;
      tables.push(...readTables(base, await this.#client.json({ path }, scope)));
    }
    return tables;
  }

  async table(table: ExtdbTable, scope: CallScope): Promise<NocoTable> {
    const path = `/api/v2/meta/tables/${encodeURIComponent(table.id)}`;
    return readTableV2(table, await this.#client.json({ path }, scope));
  }

  async page(table: NocoTable, query: Query, filter: RowFilter, scope: CallScope): Promise<Page> {
    const { fields, sort, limit, offset } = query;
    const order = sort.map(({ col, desc }) => ({
      fk_column_id: table.columns.get(col)?.id,
      direction: desc ? 'desc' : 'asc',
    }));
    const parameters = {
      ...filter,
      ...(order.length === 0 ? {} : { sortArrJson: JSON.stringify(order) }),
      // Several parameters are a list; a single one would be split at its commas.
      ...(fields === undefined ? {} : { fields: [...fields, ...fields.slice(0, 1)] }),
      limit: String(limit),
      offset: String(offset),
    };
    const answer = await this.#client.send({ path: recordsOf(table), query: parameters }, scope);
    if (textIn(answer.body, 'error') === offsetBehindEnd) return { ...noPage, limit };
    const { list, pageInfo } = recordIn(this.#client.succeeded(answer).body);
    const records = rowsIn(list).map((row) => withoutHidden(row, table));
    const total = numberIn(pageInfo, 'totalRows') ?? 0;
    return {
      ...noPage,
      records,
      total,
      limit: numberIn(pageInfo, 'pageSize') ?? limit,
      hasMore: offset + records.length < total,
    };
  }

  async summary(table: NocoTable, { summary }: Query, filter: RowFilter, scope: CallScope): Promise<unknown> {
    const sums = new Map<string, Record<string, unknown>>();
    for (const request of summaryRequests(summary, table.columns)) {
      const query = { ...filter, aggregation: JSON.stringify(request.aggregations) };
      const path = `/api/v2/tables/${encodeURIComponent(table.detail.table.id)}/aggregate`;
      addSums(sums, request, recordIn(await this.#client.json({ path, query }, scope)));
    }
    return Object.fromEntries(sums);
  }

  /** Groups with their counts, which are in API v1 only, without sums. */
  async groups(
    table: NocoTable,
    { group, summary, limit, offset, wantsRecords }: Query,
    { filterArrJson, viewId }: RowFilter,
    scope: CallScope,
  ): Promise<unknown[]> {
    if (group.some((col) => col.includes(',')))
      throw unsupported('it cannot group by a column with a comma in its name; rename the column');
    if (summary.length > 0 && !wantsRecords)
      throw unsupported(
        'its groups have counts only; ask for the summary without groups, or sum up the rows in a function node',
      );
    const { id, source_id } = table.detail.table;
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

  async get(table: NocoTable, key: Key, scope: CallScope): Promise<Row | undefined> {
    const answer = await this.#client.send({ path: `${recordsOf(table)}/${keyText(key)}` }, scope);
    if (isMissing(answer)) return undefined;
    return withoutHidden(recordIn(this.#client.succeeded(answer).body), table);
  }

  async create(table: NocoTable, record: Row, scope: CallScope): Promise<Row> {
    const request = { method: 'POST', path: recordsOf(table), body: record } as const;
    const key = recordIn(await this.#client.json(request, scope));
    const hasKey = table.detail.columns.some(
      ({ primary_key, name }) => primary_key && Object.hasOwn(key, name),
    );
    return (hasKey ? await this.get(table, key, scope) : undefined) ?? { ...record, ...key };
  }

  async update(table: NocoTable, key: Key, record: Row, scope: CallScope): Promise<Row | undefined> {
    const answer = await this.#write('PATCH', table, { ...record, ...key }, scope);
    return answer === undefined ? undefined : this.get(table, key, scope);
  }

  async remove(table: NocoTable, key: Key, scope: CallScope): Promise<boolean> {
    return (await this.#write('DELETE', table, key, scope)) !== undefined;
  }

  /** Undefined if there is no such row. */
  async #write(
    method: 'PATCH' | 'DELETE',
    table: NocoTable,
    body: Row,
    scope: CallScope,
  ): Promise<ServiceAnswer | undefined> {
    const answer = await this.#client.send({ method, path: recordsOf(table), body }, scope);
    return isMissing(answer) ? undefined : this.#client.succeeded(answer);
  }
}

/** Tells whether a service has this version. */
export const basesRequest = { path: '/api/v2/meta/bases/' } as const;

function recordsOf({ detail }: NocoTable): string {
  return `/api/v2/tables/${encodeURIComponent(detail.table.id)}/records`;
}

function withoutHidden(row: Row, { hidden }: NocoTable): Row {
  return hidden.size === 0
    ? row
    : Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name)));
}

function unsupported(reason: string) {
  return apiError('extdb.unsupported', { service: 'NocoDB', reason });
}
