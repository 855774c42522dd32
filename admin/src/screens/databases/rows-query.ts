/** Which rows of a table are shown, in a form for the address of the screen. */
import type { ExtdbRowsQuery } from '../../api/generated/schema.ts';

export type Rule = NonNullable<ExtdbRowsQuery['rules']>[number];
export type Operator = Rule['op'];

/** The operators, in the order in which they are offered. */
export const operators = [
  'eq',
  'neq',
  'like',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'is_null',
  'is_not_null',
] as const satisfies readonly Operator[];

/** Whether an operator compares with a value. */
export function takesValue(operator: Operator): boolean {
  return operator !== 'is_null' && operator !== 'is_not_null';
}

export interface RowsQuery {
  readonly rules: readonly Rule[];
  readonly match: 'and' | 'or';
  /** Name of a column, with `-` in front when descending; empty: as the service gives them. */
  readonly sort: string;
  /** ID of a saved view; empty: all rows. */
  readonly view: string;
  /** From 1. */
  readonly page: number;
  /** Index of the row of the page that is open. */
  readonly row: number | undefined;
}

export function parseRowsQuery(search: string): RowsQuery {
  const values = new URLSearchParams(search);
  const row = values.get('row');
  return {
    rules: rulesIn(values.get('rules')),
    match: values.get('match') === 'or' ? 'or' : 'and',
    sort: values.get('sort') ?? '',
    view: values.get('view') ?? '',
    page: Math.max(1, Math.trunc(Number(values.get('page') ?? 1)) || 1),
    row: row === null ? undefined : Number(row),
  };
}

export function writeRowsQuery({ rules, match, sort, view, page, row }: RowsQuery): string {
  const values = new URLSearchParams();
  if (rules.length > 0) values.set('rules', JSON.stringify(rules.map(({ col, op, val }) => [col, op, val])));
  if (match === 'or') values.set('match', match);
  if (sort !== '') values.set('sort', sort);
  if (view !== '') values.set('view', view);
  if (page > 1) values.set('page', String(page));
  if (row !== undefined) values.set('row', String(row));
  return String(values);
}

/** The question to the server. */
export function toExtdbQuery({ rules, match, sort, view, page }: RowsQuery): ExtdbRowsQuery {
  const desc = sort.startsWith('-');
  return {
    rules: [...rules],
    match,
    page,
    ...(sort === '' ? {} : { sort: [{ col: desc ? sort.slice(1) : sort, desc }] }),
    ...(view === '' ? {} : { view }),
  };
}

function rulesIn(text: string | null): readonly Rule[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.flatMap(ruleIn) : [];
  } catch {
    return [];
  }
}

function ruleIn(part: unknown): Rule[] {
  if (!Array.isArray(part)) return [];
  const [col, op, val]: readonly unknown[] = part;
  const known = operators.find((operator) => operator === op);
  if (typeof col !== 'string' || known === undefined) return [];
  return [{ col, op: known, ...(val === undefined || val === null ? {} : { val: String(val) }) }];
}
