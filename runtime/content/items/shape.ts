/**
 * The shape of a query: by which fields it filters and sorts, without the values. Templates ask for queries of the
 * same shape with many values, so an index is made for a shape. Written as text, `news?topic&-date`: the slug, the
 * fields that must equal something, and the order.
 */
import { splitOperator } from './names.ts';

export interface Shape {
  readonly slug: string;
  /** Fields with one or several values that entries must have, sorted. */
  readonly equal: readonly string[];
  /** Fields of the order, `-` in front for descending; of an order of its own, the field that has a range. */
  readonly order: readonly string[];
}

/** The shape of a call in a template; undefined if no index can help. */
export function findShape(read: {
  readonly slug: string;
  readonly fields: readonly { readonly name: string }[];
  readonly sort: string | null;
}): string | undefined {
  const names = read.fields.map(({ name }) => splitOperator(name));
  const equal = names
    .filter(({ operator }) => operator === '' || operator === 'in')
    .map(({ field }) => field);
  const range = names.find(({ operator }) => ranges.has(operator))?.field;
  const sorted = read.sort === null ? [] : read.sort.split(',').filter((name) => name !== '');
  const order = sorted.length > 0 || range === undefined ? sorted : [range];
  const fields = [...new Set(equal.filter((field) => !field.startsWith('_') && field !== 'id'))].sort();
  if (fields.length === 0 && order.length === 0) return undefined;
  return `${read.slug}?${fields.join(',')}&${order.join(',')}`;
}

export function parseShape(text: string): Shape {
  const [slug = '', rest = ''] = text.split('?');
  const [equal = '', order = ''] = rest.split('&');
  const list = (part: string) => part.split(',').filter((name) => name !== '');
  return { slug, equal: list(equal), order: list(order) };
}

const ranges = new Set(['gt', 'gte', 'lt', 'lte', 'startswith']);
