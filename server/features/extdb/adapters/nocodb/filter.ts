import { apiError } from '../../../../base/errors.ts';
import type { Comparison, Condition, PlainOperator } from '../../conditions.ts';

/** A condition as NocoDB stores it. Columns are named by their IDs. */
export type NocoFilter =
  | { readonly logical_op: Joint; readonly is_group: true; readonly children: readonly NocoFilter[] }
  | {
      readonly logical_op: Joint;
      readonly fk_column_id: string;
      readonly comparison_op: string;
      readonly comparison_sub_op?: string;
      readonly value?: unknown;
    };
type Joint = 'and' | 'or';

/** What the filter needs to know of a column. */
export interface NocoColumn {
  readonly id: string;
  /** NocoDB's type, such as `SingleLineText`. */
  readonly type: string;
}

/**
 * The filter as `filterArrJson`. The parameter `where` has no quotes in older versions, so that a value could add
 * conditions; this form is JSON. NocoDB ignores operators that it does not know: only those of the table below
 * are used, which were tried with NocoDB 0.301.
 */
export function toNocoFilter(condition: Condition, columns: ReadonlyMap<string, NocoColumn>): NocoFilter[] {
  return [nodeOf(condition, 'and', columns)];
}

function nodeOf(condition: Condition, joint: Joint, columns: ReadonlyMap<string, NocoColumn>): NocoFilter {
  if ('and' in condition) return groupOf(condition.and, 'and', joint, columns);
  if ('or' in condition) return groupOf(condition.or, 'or', joint, columns);
  // There is no operator for this.
  if (condition.op === 'not_in') {
    const { col, val } = condition;
    const others: Comparison[] = val.map((value) => ({ col, op: 'neq', val: value }));
    return groupOf(others, 'and', joint, columns);
  }
  return leafOf(condition, joint, columns.get(condition.col));
}

function groupOf(
  conditions: readonly Condition[],
  inner: Joint,
  outer: Joint,
  columns: ReadonlyMap<string, NocoColumn>,
): NocoFilter {
  const children = conditions.map((child) => nodeOf(child, inner, columns));
  return { logical_op: outer, is_group: true, children };
}

function leafOf(comparison: Comparison, joint: Joint, column: NocoColumn | undefined): NocoFilter {
  const leaf = { logical_op: joint, fk_column_id: column?.id ?? '' };
  if (comparison.op === 'is_null' || comparison.op === 'is_not_null')
    return { ...leaf, comparison_op: comparison.op === 'is_null' ? 'null' : 'notnull' };
  if (comparison.op === 'in' || comparison.op === 'not_in')
    return { ...leaf, comparison_op: 'in', value: comparison.val };
  if (comparison.op === 'like') return { ...leaf, ...likeOf(String(comparison.val)) };
  const date = dateTypes.has(column?.type ?? '') ? { comparison_sub_op: 'exactDate' } : {};
  return { ...leaf, comparison_op: names[comparison.op], ...date, value: comparison.val };
}

/** NocoDB takes a pattern without `%` at an end for a text that may stand anywhere. */
function likeOf(value: string): { readonly comparison_op: string; readonly value: string } {
  if (value.startsWith('%') || value.endsWith('%')) return { comparison_op: 'like', value };
  if (!/[%_]/.test(value)) return { comparison_op: 'eq', value };
  throw apiError('extdb.unsupported', {
    service: 'NocoDB',
    reason: `a pattern such as "${value}" must begin or end with "%"`,
  });
}

const names: Readonly<Record<Exclude<PlainOperator, 'like'>, string>> = {
  eq: 'eq',
  neq: 'neq',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
};

export const dateTypes: ReadonlySet<string> = new Set([
  'Date',
  'DateTime',
  'CreatedTime',
  'LastModifiedTime',
]);
