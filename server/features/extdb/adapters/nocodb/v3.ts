import { apiError } from '../../../../base/errors.ts';
import type { ExtdbTable } from '../../model.ts';
import type { Query } from '../../query.ts';
import type { CallScope, ServiceClient } from '../../service-client.ts';
import type { Page, Row } from '../adapter.ts';
import { listIn, numberIn, recordIn, rowsIn, textIn } from '../reading.ts';
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
import { readTables, readTableV3 } from './schema.ts';

/** NocoDB's API v3 alone. Rows have their key beside their fields; there are neither sums nor groups. */
export class NocoV3 implements NocoApi {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  async tables(scope: CallScope): Promise<Omit<ExtdbTable, 'ref'>[]> {
    const tables: Omit<ExtdbTable, 'ref'>[] = [];
    for (const base of (await this.#bases(scope)).slice(0, maxBases)) {
      const path = `/api/v3/meta/bases/${encodeURIComponent(textIn(base, 'id'))}/tables`;
      tables.push(...readTables(base, await this.#client.json({ path }, scope)));
    }
    return tables;
  }

  async table(table: ExtdbTable, scope: CallScope): Promise<NocoTable> {
    const base = encodeURIComponent(table.source_id);
    const path = `/api/v3/meta/bases/${base}/tables/${encodeURIComponent(table.id)}`;
    return readTableV3(table, await this.#client.json({ path }, scope));
  }

  async page(table: NocoTable, query: Query, filter: RowFilter, scope: CallScope): Promise<Page> {
    const { fields, sort, limit, offset, wantsTotal } = query;
    const order = sort.map(({ col, desc }) => ({
      field: table.columns.get(col)?.id,
      direction: desc ? 'desc' : 'asc',
    }));
    const parameters = {
      ...filter,
      ...(order.length === 0 ? {} : { sort: JSON.stringify(order) }),
      ...(fields === undefined ? {} : { fields: JSON.stringify(fields) }),
      limit: String(limit),
      offset: String(offset),
    };
    const answer = await this.#client.send({ path: recordsOf(table), query: parameters }, scope);
    const isBehindEnd = textIn(answer.body, 'error') === offsetBehindEnd;
    const rows = isBehindEnd ? [] : listIn(recordIn(this.#client.succeeded(answer).body)['records']);
    const records = rows.map((row) => rowOf(row, table, fields));
    const total = wantsTotal ? await this.#count(table, filter, scope) : undefined;
    const hasMore = total === undefined ? rows.length === limit : offset + rows.length < total;
    // A page that is not the last and shorter than asked for has the length of all pages.
    const length = hasMore && rows.length > 0 ? rows.length : limit;
    return { ...noPage, records, total, limit: length, hasMore };
  }

  summary(): Promise<unknown> {
    return Promise.reject(unsupported('sums'));
  }

  groups(): Promise<unknown[]> {
    return Promise.reject(unsupported('groups'));
  }

  async get(table: NocoTable, key: Key, scope: CallScope): Promise<Row | undefined> {
    const answer = await this.#client.send({ path: `${recordsOf(table)}/${keyText(key)}` }, scope);
    return isMissing(answer) ? undefined : rowOf(this.#client.succeeded(answer).body, table);
  }

  async create(table: NocoTable, record: Row, scope: CallScope): Promise<Row> {
    const request = { method: 'POST', path: recordsOf(table), body: { fields: record } } as const;
    return rowOf(firstIn(await this.#client.json(request, scope)), table);
  }

  async update(table: NocoTable, key: Key, fields: Row, scope: CallScope): Promise<Row | undefined> {
    const body = { id: idOf(key), fields };
    const answer = await this.#client.send({ method: 'PATCH', path: recordsOf(table), body }, scope);
    return isMissing(answer) ? undefined : rowOf(firstIn(this.#client.succeeded(answer).body), table);
  }

  async remove(table: NocoTable, key: Key, scope: CallScope): Promise<boolean> {
    const body = { id: idOf(key) };
    const answer = await this.#client.send({ method: 'DELETE', path: recordsOf(table), body }, scope);
    if (isMissing(answer)) return false;
    this.#client.succeeded(answer);
    return true;
  }

  /** The bases of all workspaces. A server of one's own has one workspace and no list of them. */
  async #bases(scope: CallScope): Promise<readonly unknown[]> {
    const answer = await this.#client.send({ path: '/api/v3/meta/workspaces' }, scope);
    const workspaces =
      answer.status === 404 ? [{ id: 'nc' }] : listIn(recordIn(this.#client.succeeded(answer).body)['list']);
    const bases: unknown[] = [];
    for (const workspace of workspaces) {
      const path = `/api/v3/meta/workspaces/${encodeURIComponent(textIn(workspace, 'id'))}/bases`;
      bases.push(...listIn(recordIn(await this.#client.json({ path }, scope))['list']));
    }
    return bases;
  }

  async #count(table: NocoTable, query: RowFilter, scope: CallScope): Promise<number> {
    const path = recordsOf(table).replace(/records$/, 'count');
    return numberIn(await this.#client.json({ path, query }, scope), 'count') ?? 0;
  }
}

function recordsOf({ detail: { table } }: NocoTable): string {
  return `/api/v3/data/${encodeURIComponent(table.source_id)}/${encodeURIComponent(table.id)}/records`;
}

function firstIn(answer: unknown): unknown {
  return rowsIn(recordIn(answer)['records'])[0];
}

/** A row with its key among its fields, unless only others are wanted. */
function rowOf(record: unknown, { detail }: NocoTable, wanted?: readonly string[]): Row {
  const { id, fields } = recordIn(record);
  const key = detail.columns.find(({ primary_key }) => primary_key)?.name;
  const isWanted = key !== undefined && (wanted === undefined || wanted.includes(key));
  const own = Object.entries(recordIn(fields)).filter(([name]) => !name.startsWith('_nc_'));
  return Object.fromEntries(isWanted ? [[key, id], ...own] : own);
}

function idOf(key: Key): string {
  return decodeURIComponent(keyText(key));
}

function unsupported(what: string) {
  return apiError('extdb.unsupported', {
    service: 'NocoDB',
    reason: `its API v3 has no ${what}; read the rows and compute them in a function node`,
  });
}
