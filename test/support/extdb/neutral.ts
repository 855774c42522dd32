import { asRecord } from '../api.ts';
import { aggregated, type FakeRow, fakeColumns, fits, groupsOf, picked, sorted, token } from './rows.ts';
import type { FakeAnswer, FakeRequest, FakeService } from './service.ts';

/** A service that speaks the neutral protocol (open points, "External database service"). */
export function neutral(request: FakeRequest, service: FakeService): FakeAnswer {
  const { method, path } = request;
  if (request.headers.authorization !== `Bearer ${token}`)
    return { status: 401, body: { error: 'bad token' } };
  const [, record] = /^\/api\/v1\/tables\/t1\/records\/(.+)$/.exec(path) ?? [];
  if (record !== undefined) return onRecord(method, Number(record), request, service);
  switch (`${method} ${path}`) {
    case 'GET /api/v1/version':
      return { status: 200, body: { version: '2.1' } };
    case 'GET /api/v1/tables':
      return { status: 200, body: tables };
    case 'GET /api/v1/tables/t1':
      return { status: 200, body: { table: tables[0], columns, views } };
    case 'POST /api/v1/tables/t1/query':
      return query(asRecord(request.body), service);
    case 'POST /api/v1/tables/t1/records': {
      const row = { ...emptyRow, ...asRecord(request.body), id: service.rows.length + 1 };
      service.rows.push(row);
      return { status: 201, body: row };
    }
    default:
      return { status: 404, body: { error: 'not found' } };
  }
}

const tables = [
  { id: 't1', name: 'articles', schema: 'public', source: 'shop', source_id: 's1', public_read: true },
  { id: 't2', name: 'tags', schema: 'public', source: 'shop', source_id: 's1', public_read: false },
  { id: 't3', name: 'tags', schema: 'public', source: 'blog', source_id: 's2', public_read: false },
];
const columns = fakeColumns.map((name) => ({
  name,
  ui_type: name === 'id' ? 'ID' : 'Text',
  field_kind: 'value',
  primary_key: name === 'id',
  nullable: name !== 'id',
}));
const views = [{ id: 'v1', name: 'German', type: 'grid', default: false }];
const emptyRow: FakeRow = Object.fromEntries(fakeColumns.map((name) => [name, null]));

function onRecord(method: string, id: number, { body }: FakeRequest, service: FakeService): FakeAnswer {
  const row = service.rows.find((one) => one['id'] === id);
  if (row === undefined) return { status: 404, body: { error: 'no such record' } };
  if (method === 'DELETE') {
    service.rows = service.rows.filter((one) => one !== row);
    return { status: 204 };
  }
  if (method === 'PUT') Object.assign(row, asRecord(body));
  return { status: 200, body: row };
}

function query(asked: Readonly<Record<string, unknown>>, { rows, maxRows }: FakeService): FakeAnswer {
  const order = entries(asked['sort']).map(({ col, desc }) => ({ col: String(col), desc: desc === true }));
  const inView = asked['view'] === 'v1' ? rows.filter(({ country }) => country === 'DE') : rows;
  const found = sorted(
    inView.filter((row) => asked['where'] === undefined || isTrue(row, asRecord(asked['where']))),
    order,
  );
  const limit = Math.min(Number(asked['limit']), maxRows);
  const page = Number(asked['page']);
  const offset = (page - 1) * limit;
  const records = found.slice(offset, offset + limit);
  const fields = Array.isArray(asked['fields']) ? asked['fields'].map(String) : undefined;
  const sums = (of: readonly FakeRow[]) => {
    const summary: Record<string, Record<string, number>> = {};
    for (const { col, fn } of entries(asked['summary']))
      summary[String(col)] = {
        ...summary[String(col)],
        [String(fn)]: aggregated(of, String(col), String(fn)),
      };
    return summary;
  };
  const group = entries(asked['group']).map(({ col }) => String(col));
  const groups = group.length === 0 ? [] : groupsOf(found, group);
  return {
    status: 200,
    body: {
      records: fields === undefined ? records : records.map((row) => picked(row, fields)),
      total: found.length,
      limit,
      offset,
      page,
      pages: Math.ceil(found.length / limit),
      has_more: offset + records.length < found.length,
      summary: sums(found),
      groups: groups.map((of) => ({
        values: picked(of[0] ?? {}, group),
        count: of.length,
        summary: sums(of),
      })),
    },
  };
}

function isTrue(row: FakeRow, condition: Readonly<Record<string, unknown>>): boolean {
  const { and, or, col, op, val } = condition;
  if (Array.isArray(and)) return and.every((one: unknown) => isTrue(row, asRecord(one)));
  if (Array.isArray(or)) return or.some((one: unknown) => isTrue(row, asRecord(one)));
  const value = row[String(col)];
  switch (op) {
    case 'is_null':
      return fits(value, 'null', undefined);
    case 'is_not_null':
      return !fits(value, 'null', undefined);
    case 'not_in':
      return value !== null && !fits(value, 'in', val);
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'like':
    case 'in':
      return fits(value, op, val);
    default:
      throw new Error(`there is no operator ${String(op)}`);
  }
}

function entries(list: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.map(asRecord) : [];
}
