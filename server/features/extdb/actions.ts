import { nearest } from '../../../grammar/suggest.ts';
import { apiError, invalid } from '../../base/errors.ts';
import type { Adapter, Page, Row, Table } from './adapters/adapter.ts';
import { isRow } from './adapters/reading.ts';
import { extdbLimits } from './model.ts';
import type { OpenedDatabase } from './opened.ts';
import {
  type Arguments,
  columnsOfQuery,
  isGiven,
  type ListRequest,
  lookup,
  parseFieldList,
  parseFlag,
  parseList,
  parseText,
} from './query.ts';
import type { CallScope } from './service-client.ts';

/** What an action works with. */
export interface ActionContext {
  readonly database: OpenedDatabase;
  readonly args: Arguments;
  readonly scope: CallScope;
}

interface ActionDefinition {
  readonly writes: boolean;
  run(context: ActionContext): Promise<unknown>;
}

/** The actions of the `extdb` node and of `idb.*`. */
export const actions: ReadonlyMap<string, ActionDefinition> = new Map([
  ['tables', { writes: false, run: ({ database }) => database.tables() }],
  ['schema', { writes: false, run: requireTable }],
  ['list', { writes: false, run: list }],
  ['get', { writes: false, run: get }],
  ['create', { writes: true, run: create }],
  ['update', { writes: true, run: update }],
  ['delete', { writes: true, run: remove }],
]);

async function list(context: ActionContext): Promise<unknown> {
  const request = parseList(context.args);
  return shaped(await pageOf(context, request), request);
}

/** A page of rows together with where it stands among all pages, whatever `output` asks for. */
export async function listRows(context: ActionContext): Promise<FullPage> {
  const request = parseList({ ...context.args, output: 'full' });
  return fullPage(await pageOf(context, request), request.query.offset);
}

async function pageOf(context: ActionContext, request: ListRequest): Promise<Page> {
  const table = await checkedTable(context, columnsOfQuery(request.query));
  const adapter = await context.database.adapter();
  return request.all
    ? allPages(adapter, table, request, context.scope)
    : adapter.list(table, request.query, context.scope);
}

async function get(context: ActionContext): Promise<unknown> {
  const { args, scope } = context;
  const fields = parseFieldList(args['fields']);
  const byField = isGiven(args['field']);
  const field = byField ? parseText(args['field'], 'field') : undefined;
  const table = await checkedTable(context, [...(fields ?? []), ...(field === undefined ? [] : [field])]);
  const adapter = await context.database.adapter();
  const row =
    field === undefined
      ? await adapter.get(table, keyOf(args), scope)
      : (await adapter.list(table, lookup(field, lookupValue(args['value']), fields), scope)).records[0];
  if (row !== undefined) return fields === undefined ? row : picked(row, fields);
  if (parseFlag(args['failOnMissing'], 'failOnMissing')) throw missing(table, args[byField ? 'value' : 'pk']);
  return null;
}

async function create(context: ActionContext): Promise<unknown> {
  const record = recordOf(context.args);
  const table = await checkedTable(context, Object.keys(record));
  return (await context.database.adapter()).create(table, record, context.scope);
}

async function update(context: ActionContext): Promise<unknown> {
  const { args, scope } = context;
  const given = recordOf(args);
  const table = await checkedTable(context, Object.keys(given));
  // A record as `get` gives it has its key too.
  const key = table.columns.filter(({ primary_key }) => primary_key).map(({ name }) => name);
  const record = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => !key.includes(name) || String(value) !== String(args['pk']),
    ),
  );
  if (Object.keys(record).length === 0) throw invalid('data', 'must have a column besides the primary key');
  const row = await (await context.database.adapter()).update(table, keyOf(args), record, scope);
  if (row === undefined) throw missing(table, args['pk']);
  return row;
}

async function remove(context: ActionContext): Promise<unknown> {
  const { database, args, scope } = context;
  const table = await requireTable(context);
  if (!(await (await database.adapter()).remove(table, keyOf(args), scope))) throw missing(table, args['pk']);
  return { deleted: true };
}

/** All pages as one. The pages of a service may be shorter than what it was asked for. */
async function allPages(
  adapter: Adapter,
  table: Table,
  { query }: ListRequest,
  scope: CallScope,
): Promise<Page> {
  const first = await adapter.list(table, query, scope);
  const records = [...first.records];
  let page = first;
  while (page.hasMore && page.records.length > 0 && records.length < extdbLimits.allRows) {
    const next = { ...query, group: [], summary: [], limit: page.limit, offset: records.length };
    page = await adapter.list(table, next, scope);
    records.push(...page.records);
  }
  const kept = records.slice(0, extdbLimits.allRows);
  const total = Math.max(first.total ?? 0, kept.length);
  return { ...first, records: kept, total, limit: extdbLimits.allRows, hasMore: total > kept.length };
}

function shaped(page: Page, { output, query: { offset } }: ListRequest): unknown {
  const { records, groups } = page;
  switch (output) {
    case 'records':
      return records;
    case 'first':
      return records[0] ?? null;
    case 'groups':
      return groups;
    case 'full':
      return fullPage(page, offset);
  }
}

function fullPage({ records, limit, hasMore, summary, groups, total: counted }: Page, offset: number) {
  const total = counted ?? offset + records.length;
  return {
    records,
    total,
    limit,
    offset,
    page: Math.floor(offset / limit) + 1,
    pages: Math.ceil(total / limit),
    has_more: hasMore,
    summary,
    groups,
  };
}

/** What `output` `full` gives. */
type FullPage = ReturnType<typeof fullPage>;

/** @throws ApiError `extdb.tableUnknown` */
async function requireTable({ database, args }: ActionContext): Promise<Table> {
  if (!isGiven(args['table'])) throw invalid('table', 'must not be empty');
  const name = parseText(args['table'], 'table').trim();
  const table = await database.table(name);
  if (table !== undefined) return table;
  const refs = (await database.tables()).map(({ ref }) => ref);
  const ofThatName = refs.find((ref) => ref.endsWith(`/${name}`));
  const suggestion = ofThatName ?? nearest(name, refs);
  const { name: connection } = database.client.connection;
  throw apiError('extdb.tableUnknown', { connection, table: name, ...(suggestion && { suggestion }) });
}

/** The table, which has all these columns. @throws ApiError `extdb.tableUnknown`, `extdb.columnUnknown` */
async function checkedTable(context: ActionContext, columns: readonly string[]): Promise<Table> {
  const table = await requireTable(context);
  if (unknownIn(table, columns) === undefined) return table;
  const now = await context.database.reloaded(table);
  const column = unknownIn(now, columns);
  if (column === undefined) return now;
  const suggestion = nearest(
    column,
    now.columns.map(({ name }) => name),
  );
  throw apiError('extdb.columnUnknown', { table: now.table.ref, column, ...(suggestion && { suggestion }) });
}

function unknownIn({ columns }: Table, wanted: readonly string[]): string | undefined {
  const names = new Set(columns.map(({ name }) => name));
  return wanted.find((name) => !names.has(name));
}

function recordOf({ data }: Arguments): Row {
  if (!isRow(data)) throw invalid('data', 'must be an object with a value for each column');
  if (Object.keys(data).length === 0) throw invalid('data', 'must have at least one column');
  return data;
}

function keyOf({ pk }: Arguments): unknown {
  if (!isGiven(pk)) throw invalid('pk', 'must not be empty');
  return pk;
}

function lookupValue(value: unknown): string | number | boolean {
  return typeof value === 'boolean'
    ? value
    : typeof value === 'number'
      ? value
      : parseText(value ?? '', 'value');
}

function picked(row: Row, fields: readonly string[]): Row {
  return Object.fromEntries(fields.map((name) => [name, row[name] ?? null]));
}

function missing({ table }: Table, key: unknown) {
  const record = typeof key === 'object' ? JSON.stringify(key) : String(key);
  return apiError('extdb.recordMissing', { table: table.ref, record: record.slice(0, 200) });
}
