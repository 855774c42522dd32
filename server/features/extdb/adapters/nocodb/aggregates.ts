import { apiError } from '../../../../base/errors.ts';
import type { Query, SummaryFunction } from '../../query.ts';
import type { Row } from '../adapter.ts';
import { dateTypes, type NocoColumn } from './filter.ts';

interface Aggregation {
  readonly field: string;
  readonly type: string;
}

/** A request for sums, and which entries of the summary its answer has. */
export interface SummaryRequest {
  readonly aggregations: readonly Aggregation[];
  readonly entries: Query['summary'];
}

/** An answer has one sum for each column, so a column with several functions takes several requests. */
export function summaryRequests(
  summary: Query['summary'],
  columns: ReadonlyMap<string, NocoColumn>,
): SummaryRequest[] {
  const requests: { aggregations: Aggregation[]; entries: Query['summary'][number][] }[] = [];
  for (const entry of summary) {
    let request = requests.find(({ entries }) => entries.every(({ col }) => col !== entry.col));
    if (request === undefined) {
      request = { aggregations: [], entries: [] };
      requests.push(request);
    }
    request.entries.push(entry);
    request.aggregations.push(aggregationOf(entry, columns.get(entry.col)));
  }
  return requests;
}

/**
 * The sums of an answer by column and function.
 *
 * @throws ApiError `extdb.unsupported` for a function that the column does not have: NocoDB leaves it out
 */
export function addSums(
  sums: Map<string, Record<string, unknown>>,
  { entries }: SummaryRequest,
  answer: Row,
): void {
  for (const { col, fn } of entries) {
    if (!Object.hasOwn(answer, col))
      throw apiError('extdb.unsupported', {
        service: 'NocoDB',
        reason: `it has no ${fn} of the column "${col}"; read the rows and compute it in a function node`,
      });
    sums.set(col, { ...sums.get(col), [fn]: answer[col] ?? null });
  }
}

function aggregationOf(
  { fn }: { readonly fn: SummaryFunction },
  column: NocoColumn | undefined,
): Aggregation {
  const isDate = dateTypes.has(column?.type ?? '');
  const type = (isDate ? dateNames[fn] : undefined) ?? names[fn];
  return { field: column?.id ?? '', type };
}

const names: Readonly<Record<SummaryFunction, string>> = {
  SUM: 'sum',
  AVG: 'avg',
  MIN: 'min',
  MAX: 'max',
  COUNT: 'count_filled',
};

const dateNames: Readonly<Partial<Record<SummaryFunction, string>>> = {
  MIN: 'earliest_date',
  MAX: 'latest_date',
};
