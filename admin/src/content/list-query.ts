/** The query of a list of entries: the names of the API, so that the address of the screen says what it shows. */
import type { Collection, CollectionField, FieldType } from './collections.ts';

/** A condition on a field. */
export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

export type Operator = 'eq' | 'ne' | 'gt' | 'lt' | 'icontains' | 'isnull';

export interface ListQuery {
  readonly search: string;
  /** Name of a field, with `-` in front when descending; empty: the order made by hand. */
  readonly sort: string;
  readonly conditions: readonly Condition[];
}

const texts: readonly Operator[] = ['icontains', 'eq', 'ne', 'isnull'];
const amounts: readonly Operator[] = ['eq', 'ne', 'gt', 'lt', 'isnull'];
const links: readonly Operator[] = ['eq', 'ne', 'isnull'];

/** Operators that make sense for a type of field. */
export const operatorsOf: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: texts,
  textarea: texts,
  html: texts,
  markdown: texts,
  url: texts,
  select: links,
  number: amounts,
  date: amounts,
  boolean: ['eq'],
  image: ['isnull'],
  file: ['isnull'],
  reference: links,
  references: links,
  datetime: amounts,
  multiselect: links,
  color: links,
  email: texts,
  phone: texts,
  link: ['isnull'],
  place: ['isnull'],
  group: ['isnull'],
  blocks: ['isnull'],
};

const operators: readonly Operator[] = ['eq', 'ne', 'gt', 'lt', 'icontains', 'isnull'];

export function parseListQuery(query: string, { fields }: Pick<Collection, 'fields'>): ListQuery {
  const values = new URLSearchParams(query);
  const conditions: Condition[] = [];
  for (const [name, value] of values) {
    const [field = '', operator = 'eq'] = name.split('__');
    const known = operators.find((candidate) => candidate === operator);
    if (known !== undefined && fields.some((candidate) => candidate.name === field))
      conditions.push({ field, operator: known, value });
  }
  return { search: values.get('_search') ?? '', sort: values.get('_sort') ?? '', conditions };
}

export function writeListQuery({ search, sort, conditions }: ListQuery): string {
  const values = new URLSearchParams();
  if (search !== '') values.set('_search', search);
  if (sort !== '') values.set('_sort', sort);
  for (const { field, operator, value } of conditions)
    values.append(operator === 'eq' ? field : `${field}__${operator}`, value);
  return String(values);
}

/** The next order after a click on the head of a column: rising, falling, by hand. */
export function nextSort(sort: string, name: string): string {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? '' : name;
}

/** Fields that make good columns at first: short values, six at most. */
export function chooseColumns({ fields }: Pick<Collection, 'fields'>): readonly CollectionField[] {
  const long: ReadonlySet<FieldType> = new Set(['textarea', 'html', 'markdown', 'blocks']);
  return fields.filter(({ type }) => !long.has(type)).slice(0, 6);
}
