import { apiError } from '../../../../base/errors.ts';
import type { Comparison, Condition, Value } from '../../conditions.ts';

/**
 * The filter of PostgREST: one parameter `and` or `or` with a tree. Names and values are always quoted, so that
 * nothing in them ends a condition or begins another one.
 */
export function toPostgrestFilter(condition: Condition): Readonly<Record<string, string>> {
  if ('or' in condition) return { or: `(${condition.or.map(treeOf).join(',')})` };
  if ('and' in condition) return { and: `(${condition.and.map(treeOf).join(',')})` };
  return { and: `(${comparisonOf(condition)})` };
}

/** A name or a value in quotes. */
export function quoted(value: Value): string {
  return `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`;
}

function treeOf(condition: Condition): string {
  if ('or' in condition) return `or(${condition.or.map(treeOf).join(',')})`;
  if ('and' in condition) return `and(${condition.and.map(treeOf).join(',')})`;
  return comparisonOf(condition);
}

function comparisonOf(comparison: Comparison): string {
  const col = quoted(comparison.col);
  if (comparison.op === 'is_null' || comparison.op === 'is_not_null')
    return `${col}${comparison.op === 'is_null' ? '' : '.not'}.is.null`;
  if (comparison.op === 'in' || comparison.op === 'not_in')
    return `${col}${comparison.op === 'in' ? '' : '.not'}.in.(${comparison.val.map(quoted).join(',')})`;
  if (comparison.op === 'like' && String(comparison.val).includes('*'))
    throw apiError('extdb.unsupported', {
      service: 'PostgREST',
      reason: 'it reads "*" in a pattern like "%"; use eq, or a pattern without "*"',
    });
  // Its names are those of the rules.
  return `${col}.${comparison.op}.${quoted(comparison.val)}`;
}
