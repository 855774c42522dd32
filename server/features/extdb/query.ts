import { invalid } from '../../base/errors.ts';
import { type Condition, columnsIn, parseRules, parseWhere } from './conditions.ts';
import { extdbLimits } from './model.ts';

/** The configuration of an `extdb` node, or the options of `idb.list`, after placeholders. */
export type Arguments = Readonly<Record<string, unknown>>;

export const summaryFunctions = ['SUM', 'COUNT', 'AVG', 'MIN', 'MAX'] as const;
export type SummaryFunction = (typeof summaryFunctions)[number];

export const outputs = ['records', 'full', 'groups', 'first'] as const;
export type Output = (typeof outputs)[number];

/** What is read of a table. */
export interface Query {
  readonly where: Condition | undefined;
  readonly sort: readonly { readonly col: string; readonly desc: boolean }[];
  readonly group: readonly string[];
  readonly summary: readonly { readonly col: string; readonly fn: SummaryFunction }[];
  /** ID of a saved view. */
  readonly view: string | undefined;
  readonly limit: number;
  /** Rows to leave out before the first. */
  readonly offset: number;
  /** Columns of the answer; undefined = all. */
  readonly fields: readonly string[] | undefined;
  /** Whether the rows themselves are needed, besides groups and summary. */
  readonly wantsRecords: boolean;
  readonly wantsTotal: boolean;
}

/** A query with how its result is shown. */
export interface ListRequest {
  readonly query: Query;
  readonly output: Output;
  /** All pages instead of one. */
  readonly all: boolean;
}

const defaultLimit = 100;
const maxEntries = 100;

/** The arguments of `list`. @throws ApiError `common.invalid` */
export function parseList(args: Arguments): ListRequest {
  const output = oneOf(args['output'], outputs, 'output') ?? 'records';
  const all = output !== 'first' && parseFlag(args['all'], 'all');
  const limit =
    output === 'first' ? 1 : (parseInteger(args['limit'], 'limit', 1, extdbLimits.rows) ?? defaultLimit);
  const page = all || output === 'first' ? 1 : (parseInteger(args['page'], 'page', 1, maxPage) ?? 1);
  const group = columnsOf(args['group'], 'group');
  if (output === 'groups' && group.length === 0)
    throw invalid('group', 'must name a column for the output groups');
  const where = isGiven(args['where'])
    ? parseWhere(args['where'])
    : parseRules(args['rules'], {
        match: oneOf(args['match'], ['and', 'or'], 'match') ?? 'and',
        keepEmpty: parseFlag(args['keepEmpty'], 'keepEmpty'),
      });
  return {
    output,
    all,
    query: {
      where,
      sort: entriesOf(args['sort'], 'sort').map((entry, index) => ({
        col: columnOf(entry, `sort.${index}`),
        desc: parseFlag(entry['desc'], `sort.${index}.desc`),
      })),
      group,
      summary: entriesOf(args['summary'], 'summary').map((entry, index) => ({
        col: columnOf(entry, `summary.${index}`),
        fn: oneOf(upper(entry['fn']), summaryFunctions, `summary.${index}.fn`) ?? 'COUNT',
      })),
      view: isGiven(args['view']) ? parseText(args['view'], 'view') : undefined,
      limit: all ? extdbLimits.rows : limit,
      offset: (page - 1) * limit,
      fields: parseFieldList(args['fields']),
      wantsRecords: output !== 'groups',
      wantsTotal: output === 'full' || all,
    },
  };
}

/** The columns that a query names. */
export function columnsOfQuery({ where, sort, group, summary, fields = [] }: Query): string[] {
  return [
    ...(where === undefined ? [] : columnsIn(where)),
    ...sort.map(({ col }) => col),
    ...group,
    ...summary.map(({ col }) => col),
    ...fields,
  ];
}

/** A query for the rows in which a column has a value. */
export function lookup(col: string, val: string | number | boolean, fields: Query['fields']): Query {
  return {
    where: { col, op: 'eq', val },
    sort: [],
    group: [],
    summary: [],
    view: undefined,
    limit: 1,
    offset: 0,
    fields,
    wantsRecords: true,
    wantsTotal: false,
  };
}

/** Column names separated by commas, or a list of them; undefined = all. @throws ApiError `common.invalid` */
export function parseFieldList(fields: unknown): string[] | undefined {
  if (fields === undefined || fields === null) return undefined;
  const list: unknown = typeof fields === 'string' ? fields.split(',') : fields;
  if (!Array.isArray(list)) throw invalid('fields', 'must be names of columns, separated by commas');
  const names = list.map((name: unknown) => parseText(name, 'fields').trim()).filter((name) => name !== '');
  return names.length === 0 ? undefined : [...new Set(names)];
}

/** @throws ApiError `common.invalid` */
export function parseFlag(value: unknown, field: string): boolean {
  if (!isGiven(value)) return false;
  if (typeof value === 'boolean') return value;
  const flag = { true: true, '1': true, false: false, '0': false }[String(value)];
  if (flag === undefined) throw invalid(field, 'must be true or false');
  return flag;
}

/** Undefined if there is no value. @throws ApiError `common.invalid` */
export function parseInteger(value: unknown, field: string, min: number, max: number): number | undefined {
  if (!isGiven(value)) return undefined;
  const number =
    typeof value === 'number' ? value : /^\s*\d{1,15}\s*$/.test(String(value)) ? Number(value) : Number.NaN;
  if (!Number.isInteger(number) || number < min || number > max)
    throw invalid(field, `must be a whole number from ${min} to ${max}`);
  return number;
}

/** A text; numbers are written as text. @throws ApiError `common.invalid` */
export function parseText(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw invalid(field, 'must be a text');
}

/** Whether a field has a value; an empty text is none. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '');
}

const maxPage = 1_000_000;

/** The objects of a list; those without a column are dropped, as an editor leaves them. */
function entriesOf(value: unknown, field: string): Readonly<Record<string, unknown>>[] {
  if (!isGiven(value)) return [];
  if (!Array.isArray(value)) throw invalid(field, 'must be a list');
  if (value.length > maxEntries) throw invalid(field, `must have at most ${maxEntries} entries`);
  return value.flatMap((entry: unknown, index) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw invalid(`${field}.${index}`, 'must be an object');
    const record: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(entry));
    return isGiven(record['col']) ? [record] : [];
  });
}

function columnsOf(value: unknown, field: string): string[] {
  return entriesOf(value, field).map((entry, index) => columnOf(entry, `${field}.${index}`));
}

function columnOf({ col }: Readonly<Record<string, unknown>>, at: string): string {
  return parseText(col, `${at}.col`);
}

function upper(value: unknown): unknown {
  return typeof value === 'string' ? value.toUpperCase() : value;
}

function oneOf<Name extends string>(value: unknown, names: readonly Name[], field: string): Name | undefined {
  if (!isGiven(value)) return undefined;
  const name = names.find((known) => known === value);
  if (name === undefined) throw invalid(field, `must be one of ${names.join(', ')}`);
  return name;
}
