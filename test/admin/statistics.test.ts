/** Which days the statistics show, and the addresses that say so. */
import { describe, expect, it } from 'vitest';
import {
  countDays,
  dayText,
  isDay,
  lastDays,
  listDays,
  periodBefore,
} from '../../admin/src/content/period.ts';
import { visitSeries } from '../../admin/src/screens/statistics/charts/series.ts';
import {
  computePeriod,
  findPreset,
  formatViewQuery,
  parseView,
  type View,
} from '../../admin/src/screens/statistics/model/view.ts';

describe('a period', () => {
  it('ends with its last day, over the ends of months and years', () => {
    expect(lastDays(7, '2026-03-02')).toEqual({ from: '2026-02-24', to: '2026-03-02' });
    expect(lastDays(1, '2026-01-01')).toEqual({ from: '2026-01-01', to: '2026-01-01' });
    expect(lastDays(366, '2024-12-31').from).toBe('2024-01-01');
  });

  it('has as many days before it', () => {
    const period = { from: '2026-03-01', to: '2026-03-31' };
    expect(periodBefore(period)).toEqual({ from: '2026-01-29', to: '2026-02-28' });
    expect(countDays(periodBefore(period))).toBe(31);
  });

  it('lists its days, also where clocks change', () => {
    expect(listDays({ from: '2026-03-28', to: '2026-03-30' })).toEqual([
      '2026-03-28',
      '2026-03-29',
      '2026-03-30',
    ]);
  });

  it('knows days that exist', () => {
    expect(['2026-02-28', '2024-02-29', '2026-02-29', '2026-13-01', '26-01-01', ''].map(isDay)).toEqual([
      ...[true, true, false, false, false, false],
    ]);
    expect(dayText(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
  });
});

describe('the address of a view', () => {
  const views: readonly (readonly [string, View])[] = [
    ['', { range: 30, isCompared: false, isAll: false, detail: undefined }],
    ['?days=7&compare=1', { range: 7, isCompared: true, isAll: false, detail: undefined }],
    [
      '?from=2026-01-01&to=2026-01-31&all=1&page=%2Fa%3Fb',
      {
        range: { from: '2026-01-01', to: '2026-01-31' },
        isCompared: false,
        isAll: true,
        detail: { dimension: 'page', name: '/a?b' },
      },
    ],
    [
      '?country=DE',
      { range: 30, isCompared: false, isAll: false, detail: { dimension: 'country', name: 'DE' } },
    ],
  ];
  it.each(views)('%s', (query, view) => {
    expect(formatViewQuery(view)).toBe(query);
    expect(parseView(Object.fromEntries(new URLSearchParams(query)))).toEqual(view);
  });

  it('is the usual view where it makes no sense', () => {
    for (const search of [
      { days: 'x' },
      { days: 0 },
      { days: 99999 },
      { from: '2026-02-02', to: '2026-01-01' },
    ])
      expect(parseView(search).range).toBe(30);
  });

  it('names a preset, or has days of its own', () => {
    expect(findPreset({ range: 7 })).toBe(7);
    expect(findPreset({ range: 8 })).toBeUndefined();
    expect(computePeriod({ range: 7 }, '2026-01-07')).toEqual({ from: '2026-01-01', to: '2026-01-07' });
  });
});

it('lines have a value for each day; those of before stand under the same places', () => {
  const shown = {
    period: { from: '2026-01-03', to: '2026-01-04' },
    before: { from: '2026-01-01', to: '2026-01-02' },
  };
  const now = { days: [{ day: '2026-01-04', visitors: 2, views: 5 }] };
  const earlier = { days: [{ day: '2026-01-01', visitors: 7 }] };
  const values = (compared: typeof earlier | undefined, views: string | undefined) =>
    visitSeries(shown, now, compared, { visitors: 'visitors', views, before: 'before' }).map((series) => [
      series.id,
      series.values,
    ]);
  expect(values(earlier, 'views')).toEqual([
    ['visitors', [0, 2]],
    ['views', [0, 5]],
    ['before', [7, 0]],
  ]);
  expect(values(undefined, undefined)).toEqual([['visitors', [0, 2]]]);
});
