import type { Query } from '../../query.ts';
import type { Row } from '../adapter.ts';
import { quoted } from './filter.ts';

/** The `select` of groups and sums. PostgREST groups by the plain columns of it. */
export function selectedAggregates({ group, summary }: Pick<Query, 'group' | 'summary'>): string {
  return [
    ...group.map((col, index) => `g${index}:${quoted(col)}`),
    ...(group.length === 0 ? [] : ['n:count()']),
    ...summary.map(({ col, fn }, index) => `s${index}:${quoted(col)}.${fn.toLowerCase()}()`),
  ].join(',');
}

/** Sums by column and function. */
export function readSummary(
  summary: Query['summary'],
  row: Row = {},
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const sums = new Map<string, Record<string, unknown>>();
  for (const [index, { col, fn }] of summary.entries()) {
    const ofColumn = sums.get(col) ?? {};
    ofColumn[fn] = row[`s${index}`] ?? null;
    sums.set(col, ofColumn);
  }
  return Object.fromEntries(sums);
}

export function readGroups(
  { group, summary }: Pick<Query, 'group' | 'summary'>,
  rows: readonly Row[],
): unknown[] {
  return rows.map((row) => ({
    values: Object.fromEntries(group.map((col, index) => [col, row[`g${index}`] ?? null])),
    count: row['n'] ?? 0,
    summary: readSummary(summary, row),
  }));
}
