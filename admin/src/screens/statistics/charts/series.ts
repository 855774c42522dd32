import { listDays, type Period } from '../../../content/period.ts';

/** One line of a chart, with a value for each day. */
export interface Series {
  readonly id: 'visitors' | 'views' | 'before';
  readonly label: string;
  readonly values: readonly number[];
}

/** What the server tells of a day. */
interface Day {
  readonly day: string;
  readonly visitors: number;
  readonly views?: number;
}

/** The days of a report; days without visits may be missing. */
interface Visits {
  readonly days: readonly Day[];
}

/**
 * The lines of a chart of visits.
 *
 * @param earlier of the period before; undefined where nothing is compared
 * @param labels names of the lines; without one for views there is no line of views
 */
export function visitSeries(
  { period, before }: { readonly period: Period; readonly before: Period },
  now: Visits,
  earlier: Visits | undefined,
  labels: SeriesLabels,
): readonly Series[] {
  const line = (id: Series['id'], label: string, values: readonly number[]): Series => ({
    id,
    label,
    values,
  });
  return [
    line('visitors', labels.visitors, valuesOf(now.days, period, 'visitors')),
    ...(labels.views === undefined ? [] : [line('views', labels.views, valuesOf(now.days, period, 'views'))]),
    ...(earlier === undefined
      ? []
      : [line('before', labels.before, valuesOf(earlier.days, before, 'visitors'))]),
  ];
}

interface SeriesLabels {
  readonly visitors: string;
  readonly views: string | undefined;
  readonly before: string;
}

function valuesOf(days: readonly Day[], period: Period, what: 'visitors' | 'views'): number[] {
  const known = new Map(days.map((day) => [day.day, day[what] ?? 0]));
  return listDays(period).map((day) => known.get(day) ?? 0);
}
