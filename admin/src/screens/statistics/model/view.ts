import { isDay, lastDays, type Period, presets } from '../../../content/period.ts';

/** What visitors have in common, or a page. */
export const dimensions = ['page', 'referrer', 'country', 'browser', 'os', 'device'] as const;
export type Dimension = (typeof dimensions)[number];

/** One page, referrer, country or the like that is looked at alone. */
export interface Detail {
  readonly dimension: Dimension;
  readonly name: string;
}

/** What the screen shows, as its address says it. */
export interface View {
  /** A number of days up to today, or two days. */
  readonly range: number | Period;
  readonly isCompared: boolean;
  /** All websites together. */
  readonly isAll: boolean;
  readonly detail: Detail | undefined;
}

const usualDays = 30;
const maxDays = 3660;

/** The view of an address; what it does not say is as usual. */
export function parseView(search: Readonly<Record<string, unknown>>): View {
  const dimension = dimensions.find((name) => search[name] !== undefined);
  return {
    range: rangeOf(String(search['from']), String(search['to']), Number(search['days'])),
    isCompared: String(search['compare']) === '1',
    isAll: String(search['all']) === '1',
    detail: dimension === undefined ? undefined : { dimension, name: String(search[dimension]) },
  };
}

function rangeOf(from: string, to: string, days: number): View['range'] {
  if (isDay(from) && isDay(to) && from <= to) return { from, to };
  return Number.isInteger(days) && days > 0 && days <= maxDays ? days : usualDays;
}

/** The query of an address that shows the view; empty for the usual one. */
export function formatViewQuery({ range, isCompared, isAll, detail }: View): string {
  const query = new URLSearchParams({
    ...(typeof range === 'number' ? (range === usualDays ? {} : { days: String(range) }) : { ...range }),
    ...(isCompared ? { compare: '1' } : {}),
    ...(isAll ? { all: '1' } : {}),
    ...(detail === undefined ? {} : { [detail.dimension]: detail.name }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

/** The days of the view. @param today `YYYY-MM-DD` */
export function computePeriod({ range }: Pick<View, 'range'>, today: string): Period {
  return typeof range === 'number' ? lastDays(range, today) : range;
}

/** The preset of the view; undefined if it has days of its own. */
export function findPreset({ range }: Pick<View, 'range'>): (typeof presets)[number] | undefined {
  return presets.find((days) => days === range);
}
