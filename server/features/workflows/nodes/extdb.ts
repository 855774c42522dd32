import Type from 'typebox';
import { operators } from '../../extdb/conditions.ts';
import type { Fields, Message } from '../message/message.ts';
import { formatValue, jsonTemplate, template } from '../message/placeholders.ts';
import { defineNode, sendOne } from './node-type.ts';
import { hints, numberField, shortText } from './settings.ts';

const column = shortText(200);
const columns = <Extra extends Record<string, ReturnType<typeof Type.Optional>>>(extra: Extra) =>
  Type.Optional(Type.Array(Type.Object({ col: column, ...extra }), { maxItems: 100, ...shownFor('list') }));

/** For settings that have an effect with some actions. */
function shownFor(...action: readonly string[]) {
  return hints(undefined, { action });
}

/** A value of a column, or a text with a placeholder for one. */
const keyField = (...actions: readonly string[]) =>
  Type.Union([shortText(), Type.Number(), Type.Boolean()], shownFor(...actions));

const maxLimit = 1000;
const maxWhere = 100_000;
const maxCacheSeconds = 86_400;
const maxPage = 1_000_000;

/** Reads and changes tables of external databases. */
export const extdbNode = defineNode({
  config: Type.Object({
    connection: shortText(200),
    action: Type.Optional(Type.Enum(['list', 'get', 'create', 'update', 'delete', 'schema', 'tables'])),
    table: Type.Optional(shortText(1000, shownFor('list', 'get', 'create', 'update', 'delete', 'schema'))),
    rules: Type.Optional(
      Type.Array(
        Type.Object({
          col: column,
          op: Type.Enum([...operators]),
          val: Type.Optional(Type.Unknown()),
        }),
        { maxItems: 100, ...shownFor('list') },
      ),
    ),
    match: Type.Optional(Type.Enum(['and', 'or'], shownFor('list'))),
    keepEmpty: Type.Optional(Type.Boolean(shownFor('list'))),
    where: Type.Optional(
      Type.Union([shortText(maxWhere), Type.Object({})], hints('json', { action: ['list'] })),
    ),
    sort: columns({ desc: Type.Optional(Type.Boolean()) }),
    group: columns({}),
    summary: columns({ fn: Type.Optional(Type.Enum(['SUM', 'COUNT', 'AVG', 'MIN', 'MAX'])) }),
    view: Type.Optional(Type.Union([shortText(200), Type.Integer()], shownFor('list'))),
    limit: Type.Optional(numberField(1, maxLimit, shownFor('list'))),
    page: Type.Optional(numberField(1, maxPage, shownFor('list'))),
    all: Type.Optional(Type.Boolean(shownFor('list'))),
    fields: Type.Optional(shortText(undefined, shownFor('list', 'get'))),
    output: Type.Optional(Type.Enum(['', 'records', 'full', 'groups', 'first'], shownFor('list'))),
    field: Type.Optional(shortText(200, shownFor('get'))),
    value: Type.Optional(keyField('get')),
    pk: Type.Optional(keyField('get', 'update', 'delete')),
    failOnMissing: Type.Optional(Type.Boolean(shownFor('get'))),
    cache: Type.Optional(numberField(0, maxCacheSeconds, shownFor('list', 'get', 'schema', 'tables'))),
  }),
  placeholders: {
    settings: [
      ...(['connection', 'table', 'rules', 'where', 'view', 'limit', 'page'] as const),
      ...(['fields', 'field', 'value', 'pk', 'cache'] as const),
    ],
  },
  outputs: () => 1,
  faults: (config) => [
    ...numberFault('limit', config.limit, maxLimit),
    ...numberFault('page', config.page, maxPage),
    ...numberFault('cache', config.cache, maxCacheSeconds, 0),
    ...whereFault(config.where),
  ],
  build(config, { services }) {
    const fillers = Object.entries(config).map(([name, value]) => [name, fillerOf(name, value)] as const);
    const connection = template(config.connection);
    const { action = 'list' } = config;
    const pk = template(String(config.pk ?? '').trim() || '{{ msg.payload.id }}');
    return async (message, { flow }) => {
      const args: Record<string, unknown> = Object.fromEntries(
        fillers.map(([name, fill]) => [name, fill(message)]),
      );
      delete args['connection'];
      delete args['action'];
      const byKey = action === 'update' || action === 'delete' || (action === 'get' && !config.field);
      if (byKey) args['pk'] = pk.fill(message, formatValue);
      if (action === 'create' || action === 'update') args['data'] = recordOf(message.payload);
      const name = connection.fill(message, formatValue);
      const payload = await services.databases.call(name, action, args, flow.signal);
      return sendOne(message.with({ payload: payload ?? null }));
    };
  },
});

/** A number that stands in the settings is checked on save; one from a placeholder when the node runs. */
function numberFault(field: string, value: number | string | undefined, max: number, min = 1) {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return [];
  if (typeof value === 'string' && template(value).hasPlaceholders) return [];
  return inRange(Number(value), min, max)
    ? []
    : [{ field, reason: `must be a whole number from ${min} to ${max}` }];
}

function inRange(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

function whereFault(where: string | object = '') {
  if (typeof where !== 'string' || where.trim() === '' || jsonTemplate(where).hasPlaceholders) return [];
  try {
    JSON.parse(where);
    return [];
  } catch {
    return [{ field: 'where', reason: 'must be JSON' }];
  }
}

type Fill = (message: Message) => unknown;

/** Fills the placeholders in a setting; settings without placeholders stay as they are. */
function fillerOf(name: string, value: unknown): Fill {
  if (name === 'rules' && Array.isArray(value)) {
    const rules: readonly unknown[] = value;
    const filled = rules.map((rule) => ({ ...Object(rule), val: undefined }));
    const values = rules.map((rule) => fillerOf('value', Reflect.get(Object(rule), 'val')));
    return (message) => filled.map((rule, index) => ({ ...rule, val: values[index]?.(message) }));
  }
  if (name === 'where') return whereFiller(typeof value === 'string' ? value : JSON.stringify(value ?? ''));
  if (typeof value !== 'string') return () => value;
  const text = template(value);
  if (name !== 'limit' && name !== 'page') return (message) => text.fill(message, formatValue);
  const max = name === 'limit' ? maxLimit : maxPage;
  return (message) => {
    const filled = text.fill(message, formatValue).trim();
    if (filled === '') return undefined;
    if (!inRange(Number(filled), 1, max))
      throw new Error(`${name} "${filled}" is no number from 1 to ${max}`);
    return Number(filled);
  };
}

function whereFiller(where: string): Fill {
  if (where.trim() === '') return () => undefined;
  const json = jsonTemplate(where);
  return (message) => {
    try {
      return JSON.parse(json.fill(message, formatValue));
    } catch {
      throw new Error('the filter is not JSON');
    }
  };
}

function recordOf(payload: unknown): Fields {
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return { ...payload };
  throw new Error('the payload must be an object with the columns of the record');
}
