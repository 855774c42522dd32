/**
 * Queries of entries, for `data()`, `item()`, `GET /data/{slug}` and lists of entries. Names become fields of the
 * collection here, and values what the fields can be compared with; `sql.ts` makes SQL of the result.
 */
import { nearest } from '../../../grammar/suggest.ts';
import { toFlag } from '../../fields/convert.ts';
import { isIsoDate, readNumber } from '../../fields/csv.ts';
import { ConversionError, type FieldDefinition } from '../../fields/definition.ts';
import { toComparedMoment } from '../../fields/scalars.ts';
import { type Comparison, fieldTypes } from '../../fields/types.ts';
import { isOperator, type Operator, splitOperator } from './names.ts';

/** What queries need to know of a collection. */
export interface QueriedCollection {
  readonly id: number;
  readonly slug: string;
  readonly fields: readonly FieldDefinition[];
}

/** A name with its value, as text from an address or as a value of a template. */
export type QueryPair = readonly [name: string, value: unknown];

/** A column of the table of entries, or a field in its data. */
export type Operand =
  | { readonly column: 'id' | 'sort' | 'created_at' | 'updated_at' }
  | { readonly field: string; readonly compares: Comparison };

export interface Condition {
  readonly operand: Operand;
  readonly operator: 'eq' | Operator;
  /** In the form in which the operand is stored. A value that no entry can have is left out. */
  readonly values: readonly (string | number)[];
}

export interface ItemQuery {
  readonly conditions: readonly Condition[];
  readonly order: readonly { readonly operand: Operand; readonly descending: boolean }[];
  readonly limit: number | undefined;
  readonly offset: number;
  /** Text that one of the text fields must contain, folded; empty = any. */
  readonly search: string;
  readonly searched: readonly string[];
}

/** Why a query cannot be asked. */
export class QueryFault extends Error {
  readonly kind: 'field' | 'operator' | 'value';
  /** Name of the query that is wrong. */
  readonly field: string;
  /** The unknown operator, the nearest field, or what the value must be. */
  readonly detail: string | undefined;

  constructor(kind: QueryFault['kind'], field: string, message: string, detail?: string) {
    super(message);
    this.kind = kind;
    this.field = field;
    this.detail = detail;
  }
}

/** Most entries of one answer. */
export const maxLimit = 1000;
const maxOffset = 1_000_000_000;
const maxValues = 1000;

/** @throws QueryFault */
export function parseQuery(collection: QueriedCollection, pairs: readonly QueryPair[]): ItemQuery {
  const conditions: Condition[] = [];
  let order: ItemQuery['order'] = [];
  let limit: number | undefined;
  let offset = 0;
  let search = '';
  for (const [name, value] of pairs) {
    switch (name) {
      case '_sort':
        order = parseOrder(collection, asText(value));
        break;
      case '_limit':
        limit = wholeNumber(name, value, 1, maxLimit);
        break;
      case '_offset':
        offset = wholeNumber(name, value, 0, maxOffset);
        break;
      case '_search':
        search = foldCase(asText(value));
        break;
      default:
        conditions.push(parseCondition(collection, name, value));
    }
  }
  const searched = collection.fields
    .filter(({ type }) => fieldTypes[type].isSearched)
    .map(({ name }) => name);
  return { conditions, order, limit, offset, search, searched };
}

/** The form in which texts are compared without regard to case. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** What an index can hold, by the names of queries: fields with plain values, and columns. */
export function createOperands({ fields }: Pick<QueriedCollection, 'fields'>): ReadonlyMap<string, Operand> {
  const plain = fields.map(({ name, type }) => ({ field: name, compares: fieldTypes[type].compares }));
  return new Map<string, Operand>([
    ['_created', { column: 'created_at' }],
    ['_updated', { column: 'updated_at' }],
    ...plain
      .filter(({ compares }) => !unordered.has(compares))
      .map((operand) => [operand.field, operand] as const),
  ]);
}

/** What no index can hold. */
const unordered: ReadonlySet<Comparison> = new Set(['ids', 'texts', 'tree', 'none']);

function parseOrder(collection: QueriedCollection, text: string): ItemQuery['order'] {
  const names = text.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .slice(0, 10)
    .map((name) => {
      const descending = name.startsWith('-');
      const field = descending ? name.slice(1) : name;
      const column = columns.get(field);
      const operand = ownOperand(collection, field) ?? (column === undefined ? undefined : { column });
      if (operand === undefined || isNoQueryField(operand)) throw unknownField(collection, field);
      return { operand, descending };
    });
}

const columns: ReadonlyMap<string, 'id' | 'sort' | 'created_at' | 'updated_at'> = new Map([
  ['id', 'id'],
  ['sort', 'sort'],
  ['_created', 'created_at'],
  ['_updated', 'updated_at'],
] as const);

function parseCondition(collection: QueriedCollection, name: string, value: unknown): Condition {
  const whole = operandOf(collection, name);
  if (whole !== undefined && isNoQueryField(whole)) throw unknownField(collection, name);
  if (whole !== undefined) return conditionOf(whole, 'eq', name, value);
  const { field, operator } = splitOperator(name);
  const operand = operator === '' ? undefined : operandOf(collection, field);
  if (operand === undefined || (isNoQueryField(operand) && operator !== 'isnull'))
    throw unknownField(collection, field);
  if (!isOperator(operator) || !isPossible(operand, operator))
    throw new QueryFault('operator', field, `"${field}" cannot be compared with "${operator}"`, operator);
  return conditionOf(operand, operator, name, value);
}

function operandOf(collection: QueriedCollection, name: string): Operand | undefined {
  return name === 'id' ? { column: 'id' } : ownOperand(collection, name);
}

function ownOperand({ fields }: QueriedCollection, name: string): Operand | undefined {
  const field = fields.find((known) => known.name === name);
  return field === undefined ? undefined : { field: name, compares: fieldTypes[field.type].compares };
}

const listOperators: ReadonlySet<Operator> = new Set(['ne', 'in', 'isnull', 'contains']);
const textOperators: ReadonlySet<Operator> = new Set(['contains', 'icontains', 'startswith', 'endswith']);
const ordering: ReadonlySet<Condition['operator']> = new Set(['gt', 'gte', 'lt', 'lte']);
const treeOperators: ReadonlySet<Operator> = new Set(['isnull']);

function isPossible(operand: Operand, operator: Operator): boolean {
  switch (comparisonOf(operand)) {
    case 'text':
    case 'day':
    case 'time':
      return true;
    case 'ids':
    case 'texts':
      return listOperators.has(operator);
    case 'tree':
    case 'none':
      return treeOperators.has(operator);
    default:
      return !textOperators.has(operator);
  }
}

/** Whether entries can only be asked whether they have a value. */
function isNoQueryField(operand: Operand): boolean {
  return comparisonOf(operand) === 'none';
}

function comparisonOf(operand: Operand): Comparison {
  return 'column' in operand ? 'id' : operand.compares;
}

function conditionOf(
  operand: Operand,
  operator: Condition['operator'],
  name: string,
  value: unknown,
): Condition {
  const compares = comparisonOf(operand);
  if (operator === 'isnull') {
    const flag = toFlag(value);
    if (flag instanceof ConversionError) throw valueFault(name, 'must be true, false, 1 or 0');
    return { operand, operator: flag ? 'eq' : 'ne', values: [] };
  }
  if (compares === 'tree')
    throw new QueryFault('operator', name, `"${name}" can only be compared with isnull`, 'eq');
  const given = operator === 'in' ? listOf(value) : [value];
  if (given.length > maxValues) throw valueFault(name, `must have at most ${maxValues} values`);
  const isEmpty = operator !== 'in' && isNothing(value);
  if (isEmpty && operator !== 'eq' && operator !== 'ne') return { operand, operator, values: impossible };
  const values = isEmpty ? [] : given.flatMap((one) => comparable(one, compares, operator) ?? []);
  // A value that no entry can have: nothing equals it, and everything differs from it.
  if (!isEmpty && values.length === 0)
    return { operand, operator: operator === 'ne' ? 'ne' : 'in', values: impossible };
  return { operand, operator, values };
}

/** No value at all, where `[]` would mean an empty field. */
const impossible: Condition['values'] = ['\u0000impossible'];

export function isImpossible({ values }: Condition): boolean {
  return values === impossible;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return asText(value)
    .split(',')
    .map((part) => part.trim());
}

/** A value as a field of this kind stores it; undefined if the field cannot have it. */
function comparable(
  value: unknown,
  compares: Comparison,
  operator: Condition['operator'],
): string | number | undefined {
  const isPart = operator !== 'eq' && isOperator(operator) && textOperators.has(operator);
  if (compares === 'time' && !isPart) return toComparedMoment(value);
  if (compares === 'day' && !isNothing(value)) return toComparedDay(value, ordering.has(operator));
  if (compares === 'text' || compares === 'texts' || compares === 'day' || compares === 'time')
    return isNothing(value) ? undefined : asText(value);
  if (compares === 'flag') {
    const flag = toFlag(value);
    return flag instanceof ConversionError ? undefined : Number(flag);
  }
  const given = isEntry(value) ? value.id : value;
  const number = typeof given === 'string' ? readNumber(given) : given;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * A day as it is stored, also for the moment that it begins at. Entries may have a time with their day, or what was a
 * day of no form before the field became one: only an order needs a day.
 */
function toComparedDay(value: unknown, isOrdering: boolean): string | undefined {
  const moment = toComparedMoment(value);
  if (moment?.endsWith('T00:00:00Z')) return moment.slice(0, 10);
  if (value instanceof Date) return moment;
  const text = asText(value);
  return isOrdering && !isIsoDate(text) ? undefined : text;
}

/** An entry stands for its ID, as in `data("news", "topic", topic)`. */
function isEntry(value: unknown): value is { readonly id: unknown } {
  return typeof value === 'object' && value !== null && 'id' in value;
}

function asText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

function wholeNumber(name: string, value: unknown, min: number, max: number): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max)
    return number;
  throw valueFault(name, `must be a whole number from ${min} to ${max}`);
}

function valueFault(name: string, reason: string): QueryFault {
  return new QueryFault('value', name, `${name} ${reason}`, reason);
}

function unknownField({ slug, fields }: QueriedCollection, field: string): QueryFault {
  const asked = fields.filter(({ type }) => fieldTypes[type].compares !== 'none');
  const suggestion = nearest(
    field,
    asked.map(({ name }) => name),
  );
  return new QueryFault('field', field, `"${slug}" has no field "${field}"`, suggestion);
}
