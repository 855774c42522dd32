import { asRecord } from '../api.ts';
import { aggregated, type FakeRow, fakeColumns, fits, groupsOf, picked, sorted, token } from './rows.ts';
import type { FakeAnswer, FakeRequest, FakeService } from './service.ts';

/**
 * NocoDB's API v2, with the answers that version 0.301.3 was seen to give. Like it, this ignores operators that it
 * does not know, adds columns of its own, refuses offsets behind the end, and matches `neq` on null.
 */
export function nocodb(request: FakeRequest, service: FakeService): FakeAnswer {
  const { method, path } = request;
  if (path === '/api/v1/version')
    return { status: 200, body: { currentVersion: '0.301.3', releaseVersion: null } };
  if (path === '/api/v2/meta/nocodb/info')
    return { status: 200, body: { authType: 'jwt', version: '0.301.3' } };
  if (request.headers['xc-token'] !== token)
    return { status: 401, body: { error: 'ERR_AUTHENTICATION_REQUIRED', message: 'Invalid token' } };
  const [, record] = /^\/api\/v2\/tables\/m1\/records\/(.+)$/.exec(path) ?? [];
  if (record !== undefined) return readRecord(record, service);
  switch (`${method} ${path}`) {
    case 'GET /api/v2/meta/bases/':
      return {
        status: 200,
        body: {
          list: [
            { id: 'p1', title: 'shop' },
            { id: 'p2', title: 'blog' },
          ],
        },
      };
    case 'GET /api/v2/meta/bases/p1/tables':
      return { status: 200, body: { list: [table('m1', 'articles'), table('m2', 'tags'), junction] } };
    case 'GET /api/v2/meta/bases/p2/tables':
      return { status: 200, body: { list: [table('m3', 'tags')] } };
    case 'GET /api/v2/meta/tables/m1':
      return { status: 200, body: { ...table('m1', 'articles'), columns, views } };
    case 'GET /api/v2/tables/m1/records':
      return listRecords(request, service);
    case 'GET /api/v2/tables/m1/aggregate':
      return aggregate(request, service);
    case 'GET /api/v1/db/data/noco/p1/m1/groupby':
      return groupBy(request, service);
    case 'POST /api/v2/tables/m1/records':
    case 'PATCH /api/v2/tables/m1/records':
    case 'DELETE /api/v2/tables/m1/records':
      return write(request, service);
    default:
      return { status: 404, body: { error: 'NOT_FOUND', message: `Cannot ${method} ${path}` } };
  }
}

const table = (id: string, title: string) => ({
  id,
  title,
  source_id: 'b1',
  base_id: 'p1',
  mm: false,
  schema: null,
});
const junction = { ...table('m9', 'nc_m2m_articles_tags'), mm: true };
const idOf = (name: (typeof fakeColumns)[number]) => `c${fakeColumns.indexOf(name)}`;
const columns = [
  ...fakeColumns.map((name) => ({
    id: idOf(name),
    title: name,
    uidt:
      name === 'id'
        ? 'ID'
        : name === 'price, net'
          ? 'Decimal'
          : name === 'sold'
            ? 'Checkbox'
            : 'SingleLineText',
    pk: name === 'id',
    rqd: name === 'id',
    system: false,
  })),
  { id: 'c8', title: 'CreatedAt', uidt: 'CreatedTime', system: true },
  { id: 'c9', title: '_nc_m2m_articles_tags', uidt: 'LinkToAnotherRecord', system: 1 },
];
const views = [
  { id: 'v0', title: 'articles', type: 3, is_default: true },
  { id: 'v1', title: 'German', type: 4, is_default: null },
];
/** What NocoDB adds to a row. */
const stored = (row: FakeRow) => ({
  ...row,
  CreatedAt: '2026-01-02 03:04:05+00:00',
  _nc_m2m_articles_tags: [],
});

function readRecord(id: string, { rows }: FakeService): FakeAnswer {
  if (!/^\d+$/.test(id))
    return {
      status: 422,
      body: { error: 'ERR_INVALID_PK_VALUE', message: `Primary key value '${id}' is invalid` },
    };
  const row = rows.find((one) => String(one['id']) === id);
  return row === undefined ? missing(id) : { status: 200, body: stored(row) };
}

const missing = (id: unknown): FakeAnswer => ({
  status: 404,
  body: { error: 'ERR_RECORD_NOT_FOUND', message: `Record '${String(id)}' not found` },
});

function write({ method, body }: FakeRequest, service: FakeService): FakeAnswer {
  const sent = asRecord(body);
  if (method === 'POST') {
    const id = service.rows.length + 1;
    service.rows.push({ ...Object.fromEntries(fakeColumns.map((name) => [name, sent[name] ?? null])), id });
    return { status: 200, body: { id } };
  }
  const row = service.rows.find(({ id }) => String(id) === String(sent['id']));
  if (row === undefined) return missing(sent['id'] ?? 'unknown');
  if (method === 'DELETE') service.rows = service.rows.filter((one) => one !== row);
  else Object.assign(row, sent, { id: row['id'] });
  return { status: 200, body: { id: row['id'] } };
}

function listRecords({ query }: FakeRequest, service: FakeService): FakeAnswer {
  const found = filtered(query, service);
  const order = parsedList(query.get('sortArrJson')).map(({ fk_column_id, direction }) => ({
    col: nameOf(fk_column_id),
    desc: direction === 'desc',
  }));
  const pageSize = Math.min(Number(query.get('limit') ?? 25), service.maxRows);
  const offset = Number(query.get('offset') ?? 0);
  if (offset > 0 && offset >= found.length)
    return { status: 422, body: { error: 'ERR_INVALID_OFFSET_VALUE', message: 'Offset is invalid' } };
  const given = query.getAll('fields');
  const fields = given.length > 1 ? given : given.flatMap((one) => one.split(','));
  if (fields.some((name) => !columns.some(({ title }) => title === name)))
    return { status: 404, body: { error: 'ERR_FIELD_NOT_FOUND', message: 'Field not found' } };
  const rows = sorted(found, order).slice(offset, offset + pageSize);
  return {
    status: 200,
    body: {
      list: rows.map((row) => (fields.length === 0 ? stored(row) : picked(stored(row), fields))),
      pageInfo: { totalRows: found.length, pageSize, isLastPage: offset + pageSize >= found.length },
    },
  };
}

/** A function that a column does not have is left out of the answer. */
function aggregate({ query }: FakeRequest, service: FakeService): FakeAnswer {
  const rows = filtered(query, service);
  const names: Readonly<Record<string, string>> = {
    sum: 'sum',
    avg: 'avg',
    min: 'min',
    max: 'max',
    count_filled: 'count',
  };
  const sums = parsedList(query.get('aggregation')).flatMap(({ field, type }) => {
    const name = nameOf(field);
    const fn = names[String(type)];
    const isThere = fn !== undefined && (fn === 'count' || name === 'price, net');
    return isThere ? [[name, aggregated(rows, name, fn)] as const] : [];
  });
  return { status: 200, body: Object.fromEntries(sums) };
}

function groupBy({ query }: FakeRequest, service: FakeService): FakeAnswer {
  const names = (query.get('column_name') ?? '').split(',');
  const groups = groupsOf(filtered(query, service), names);
  const offset = Number(query.get('offset') ?? 0);
  const page = groups.slice(offset, offset + Number(query.get('limit') ?? 25));
  return {
    status: 200,
    body: { list: page.map((of) => ({ ...picked(of[0] ?? {}, names), count: of.length })) },
  };
}

function filtered(query: URLSearchParams, { rows }: FakeService): FakeRow[] {
  const view = query.get('viewId');
  const inView = view === 'v1' ? rows.filter(({ country }) => country === 'DE') : rows;
  const filters = parsedList(query.get('filterArrJson'));
  return inView.filter((row) => allTrue(row, filters));
}

/** NocoDB joins a filter to those before it with its own `logical_op`. */
function allTrue(row: FakeRow, filters: readonly Readonly<Record<string, unknown>>[]): boolean {
  let result: boolean | undefined;
  for (const filter of filters) {
    const one = isTrue(row, filter);
    result = result === undefined ? one : filter['logical_op'] === 'or' ? result || one : result && one;
  }
  return result ?? true;
}

function isTrue(row: FakeRow, filter: Readonly<Record<string, unknown>>): boolean {
  if (filter['is_group'] === true) return allTrue(row, parsedList(JSON.stringify(filter['children'])));
  const value = row[nameOf(filter['fk_column_id'])];
  const operand = filter['value'];
  const operator = String(filter['comparison_op']);
  switch (operator) {
    case 'null':
      return fits(value, 'null', undefined);
    case 'notnull':
      return !fits(value, 'null', undefined);
    case 'neq':
      return value === null || fits(value, 'neq', operand);
    case 'like': {
      const pattern = String(operand);
      const isOpen = !pattern.startsWith('%') && !pattern.endsWith('%');
      return fits(value, 'like', isOpen ? `%${pattern}%` : pattern);
    }
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'in':
      return fits(value, operator, operand);
    default:
      return true;
  }
}

function nameOf(id: unknown): string {
  const name = columns.find((column) => column.id === id)?.title;
  if (name === undefined) throw new Error(`there is no column ${String(id)}`);
  return name;
}

function parsedList(json: string | null): Readonly<Record<string, unknown>>[] {
  const list: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(list) ? list.map(asRecord) : [];
}
