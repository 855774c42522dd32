import { asRecord } from '../api.ts';
import { nocodb } from './nocodb.ts';
import type { FakeAnswer, FakeRequest, FakeService } from './service.ts';

/**
 * A NocoDB that has API v3 alone: the other fake with the paths and the form of rows that version 0.301.3 was seen to
 * have there.
 */
export function nocodbV3(request: FakeRequest, service: FakeService): FakeAnswer {
  const { method, path, query, body } = request;
  const inV2 = (more: Partial<FakeRequest>) => nocodb({ ...request, ...more }, service);
  if (path === '/api/v1/version') return inV2({});
  if (request.headers['xc-token'] !== 'a-secret-token') return inV2({ path: '/api/v2/meta/bases/' });
  if (path === '/api/v3/meta/workspaces/nc/bases') return inV2({ path: '/api/v2/meta/bases/' });
  const [, base, table] = /^\/api\/v3\/meta\/bases\/(\w+)\/tables(?:\/(\w+))?$/.exec(path) ?? [];
  if (table !== undefined) return describe(inV2({ path: `/api/v2/meta/tables/${table}` }));
  if (base !== undefined) return withoutJunctions(inV2({ path: `/api/v2/meta/bases/${base}/tables` }));
  if (path === '/api/v3/data/p1/m1/count') {
    const { pageInfo } = asRecord(inV2({ path: records, query: without(query, 'fields') }).body);
    return { status: 200, body: { count: asRecord(pageInfo)['totalRows'] } };
  }
  const [, key] = /^\/api\/v3\/data\/p1\/m1\/records(?:\/(.+))?$/.exec(path) ?? [];
  if (!path.startsWith('/api/v3/data/p1/m1/records')) return { status: 404, body: { error: 'NOT_FOUND' } };
  if (key !== undefined) return one(inV2({ path: `${records}/${key}` }));
  const sent = asRecord(body);
  switch (method) {
    case 'GET':
      return list(inV2({ path: records, query: inV2Query(query) }), query);
    case 'POST':
      return written(inV2({ path: records, body: sent['fields'] }), service);
    case 'PATCH':
      return written(inV2({ path: records, body: { ...asRecord(sent['fields']), id: sent['id'] } }), service);
    default:
      return inV2({ path: records, body: { id: sent['id'] } });
  }
}

const records = '/api/v2/tables/m1/records';

function describe({ status, body }: FakeAnswer): FakeAnswer {
  const { columns, views } = asRecord(body);
  const shown = listOf(columns).filter(({ system }) => system === false);
  return {
    status,
    body: {
      fields: shown.map(({ id, title, uidt }) => ({ id, title, type: uidt })),
      views: listOf(views).map(({ id, title }) => ({ id, title, view_type: 'grid' })),
    },
  };
}

function withoutJunctions({ status, body }: FakeAnswer): FakeAnswer {
  const list = listOf(asRecord(body)['list']).filter(({ mm }) => mm !== true);
  return { status, body: { list: list.map(({ id, title, base_id }) => ({ id, title, base_id })) } };
}

function inV2Query(query: URLSearchParams): URLSearchParams {
  const changed = without(query, 'fields', 'sort');
  const order: unknown = JSON.parse(query.get('sort') ?? '[]');
  const sorting = listOf(order).map(({ field, direction }) => ({ fk_column_id: field, direction }));
  changed.set('sortArrJson', JSON.stringify(sorting));
  return changed;
}

function list({ status, body }: FakeAnswer, query: URLSearchParams): FakeAnswer {
  if (status !== 200) return { status, body };
  const wanted: unknown = JSON.parse(query.get('fields') ?? 'null');
  const rows = listOf(asRecord(body)['list']).map((row) => recordOf(row, wanted));
  return { status, body: { records: rows, nestedNext: null } };
}

function one({ status, body }: FakeAnswer): FakeAnswer {
  return status === 200 ? { status, body: recordOf(asRecord(body), null) } : { status, body };
}

function written({ status, body }: FakeAnswer, { rows }: FakeService): FakeAnswer {
  if (status !== 200) return { status, body };
  const { id } = asRecord(body);
  const row = rows.find((other) => String(other['id']) === String(id)) ?? {};
  return { status, body: { records: [recordOf({ ...row, _nc_m2m_articles_tags: [] }, null)] } };
}

/** The key stands beside the fields and never among them. */
function recordOf({ id, ...fields }: Readonly<Record<string, unknown>>, wanted: unknown) {
  const shown = Object.entries(fields).filter(([name]) => !Array.isArray(wanted) || wanted.includes(name));
  return { id, fields: Object.fromEntries(shown) };
}

function without(query: URLSearchParams, ...names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !names.includes(name)));
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(asRecord) : [];
}
