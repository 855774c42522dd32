import { asRecord } from '../api.ts';
import { type FakeTree, parseLogic, parseOrder, parseSelect, type SelectItem } from './postgrest-grammar.ts';
import { aggregated, type FakeRow, fakeColumns, fits, groupsOf, picked, sorted, token } from './rows.ts';
import type { FakeAnswer, FakeRequest, FakeService } from './service.ts';

/** PostgREST, as its documentation and its sources (version 14) describe it. Aggregates are switched on. */
export function postgrest(request: FakeRequest, service: FakeService): FakeAnswer {
  const { method, path, headers } = request;
  const isAnonymous = headers.authorization === undefined;
  if (!isAnonymous && headers.authorization !== `Bearer ${token}`)
    return { status: 401, body: { code: 'PGRST301', message: 'JWSError JWSInvalidSignature' } };
  if (path === '/') return { status: 200, body: description(isAnonymous) };
  if (path !== '/articles')
    return { status: 404, body: { code: 'PGRST205', message: `Could not find the table '${path}'` } };
  if (isAnonymous)
    return { status: 401, body: { code: '42501', message: 'permission denied for table articles' } };
  try {
    switch (method) {
      case 'GET':
        return read(request, service);
      case 'POST':
        return insert(request, service);
      case 'PATCH':
      case 'DELETE':
        return change(request, service);
      default:
        return { status: 405 };
    }
  } catch (error) {
    return { status: 400, body: { code: 'PGRST100', message: String(error) } };
  }
}

function description(isAnonymous: boolean) {
  const pk = 'Note:\nThis is a Primary Key.<pk/>';
  const fk = (table: string) =>
    `${pk}\nThis is a Foreign Key to \`${table}.id\`.<fk table='${table}' column='id'/>`;
  const properties = Object.fromEntries(
    fakeColumns.map((name) => [
      name,
      name === 'id'
        ? { description: pk, format: 'bigint', type: 'integer' }
        : { format: name === 'price, net' ? 'numeric' : 'text', type: 'string' },
    ]),
  );
  const junction = {
    article_id: { description: fk('articles'), format: 'bigint' },
    tag_id: { description: fk('tags'), format: 'bigint' },
  };
  return {
    swagger: '2.0',
    info: { title: 'PostgREST API', version: '14.1' },
    paths: {
      '/': { get: {} },
      '/rpc/total': { get: {}, post: {} },
      ...(isAnonymous ? {} : { '/articles': { get: {}, post: {}, patch: {}, delete: {} } }),
      '/tags': { get: {} },
      '/articles_tags': { get: {} },
      '/inbox': { post: {} },
    },
    definitions: {
      articles: { type: 'object', required: ['id'], properties },
      tags: { type: 'object', properties: { name: { format: 'text' } } },
      articles_tags: { type: 'object', properties: junction },
      inbox: { type: 'object', properties: {} },
    },
  };
}

function read({ query, headers }: FakeRequest, service: FakeService): FakeAnswer {
  const found = filtered(query, service);
  const order = parseOrder(query.get('order') ?? '"id".asc');
  const select = query.get('select');
  const items = select === null ? [] : parseSelect(select);
  const rows = items.some(({ aggregate }) => aggregate !== undefined)
    ? aggregates(found, items)
    : sorted(found, order).map((row) => (select === null ? row : selected(row, items)));
  const offset = Number(query.get('offset') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? service.maxRows), service.maxRows);
  const isCounted = /count=exact/.test(String(headers['prefer']));
  if (isCounted && offset > 0 && offset >= rows.length)
    return {
      status: 416,
      body: { code: 'PGRST103', message: 'Requested range not satisfiable' },
      headers: { 'Content-Range': `*/${rows.length}` },
    };
  const page = rows.slice(offset, offset + limit);
  const range = page.length === 0 ? '*' : `${offset}-${offset + page.length - 1}`;
  return {
    status: isCounted && page.length < rows.length ? 206 : 200,
    body: page,
    headers: { 'Content-Range': `${range}/${isCounted ? rows.length : '*'}` },
  };
}

function insert({ body, headers }: FakeRequest, service: FakeService): FakeAnswer {
  const sent = asRecord(body);
  const unknown = Object.keys(sent).find((name) => !fakeColumns.some((column) => column === name));
  if (unknown !== undefined)
    return { status: 400, body: { code: 'PGRST204', message: `Could not find the '${unknown}' column` } };
  const row = {
    ...Object.fromEntries(fakeColumns.map((name) => [name, null])),
    ...sent,
    id: service.rows.length + 1,
  };
  service.rows.push(row);
  return headers['prefer'] === 'return=representation' ? { status: 201, body: [row] } : { status: 201 };
}

function change({ method, query, body, headers }: FakeRequest, service: FakeService): FakeAnswer {
  const rows = filtered(query, service);
  if (method === 'DELETE') service.rows = service.rows.filter((row) => !rows.includes(row));
  else for (const row of rows) Object.assign(row, asRecord(body));
  return headers['prefer'] === 'return=representation'
    ? { status: 200, body: rows }
    : { status: 204, headers: { 'Content-Range': `*/${rows.length}` } };
}

function filtered(query: URLSearchParams, { rows }: FakeService): FakeRow[] {
  const known = ['and', 'or', 'select', 'order', 'limit', 'offset'];
  for (const name of query.keys()) if (!known.includes(name)) throw new Error(`unexpected parameter ${name}`);
  const conditions = (['and', 'or'] as const).flatMap((kind) => {
    const text = query.get(kind);
    return text === null ? [] : [parseLogic(kind, text)];
  });
  return rows.filter((row) => conditions.every((condition) => isTrue(row, condition)));
}

function isTrue(row: FakeRow, condition: FakeTree): boolean {
  if (condition.kind === 'and') return condition.children.every((child) => isTrue(row, child));
  if (condition.kind === 'or') return condition.children.some((child) => isTrue(row, child));
  const { field, not, operator, value } = condition;
  if (!fakeColumns.some((name) => name === field)) throw new Error(`column articles.${field} does not exist`);
  const cell = row[field] ?? null;
  if (operator === 'is') return (value === 'null' && cell === null) !== not;
  // NOT of an unknown is unknown, which lets no row through.
  if (cell === null) return false;
  switch (operator) {
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'in':
      return fits(cell, operator, value) !== not;
    case 'like':
      return fits(cell, operator, String(value).replaceAll('*', '%')) !== not;
    default:
      throw new Error(`unexpected operator ${operator}`);
  }
}

function selected(row: FakeRow, items: readonly SelectItem[]): FakeRow {
  return Object.fromEntries(items.map(({ alias, field }) => [alias, row[field]]));
}

function aggregates(rows: readonly FakeRow[], items: readonly SelectItem[]): FakeRow[] {
  const plain = items.filter(({ aggregate }) => aggregate === undefined);
  const groups =
    plain.length === 0
      ? [[...rows]]
      : groupsOf(
          rows,
          plain.map(({ field }) => field),
        );
  return groups.map((of) =>
    Object.fromEntries(
      items.map(({ alias, field, aggregate }) => [
        alias,
        aggregate === undefined
          ? picked(of[0] ?? {}, [field])[field]
          : field === 'count'
            ? of.length
            : aggregated(of, field, aggregate),
      ]),
    ),
  );
}
