import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  computeDay,
  computeSpans,
  parseDay,
  spanLengths,
  spanStart,
  textOfDay,
} from '../../../server/features/statistics/counting/days.ts';

describe('a date', () => {
  it.each(['1970-01-01', '2024-02-29', '2026-12-31', '9999-12-31'])('%s is a day', (text) => {
    expect(textOfDay(parseDay(text) ?? -1)).toBe(text);
  });

  it.each(['', '2026-02-29', '2026-13-01', '2026-1-1', '20260101', '2026-01-01T00:00', 'x', '2026-00-10'])(
    '%j is none',
    (text) => expect(parseDay(text)).toBeUndefined(),
  );

  it('is that of the calendar of the machine', () => {
    for (let hour = 0; hour < 24 * 400; hour++) {
      const date = new Date(2026, 0, 1, hour);
      const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
      const text = parts.map((part) => String(part).padStart(2, '0')).join('-');
      expect(textOfDay(computeDay(date.getTime()))).toBe(text);
    }
  });
});

describe('days in server time', () => {
  /** Days of moments in UTC as a server in a time zone sees them. */
  function daysIn(zone: string, moments: readonly string[]): string[] {
    const file = new URL('../../../server/features/statistics/counting/days.ts', import.meta.url).href;
    const code = `import { computeDay, textOfDay } from ${JSON.stringify(file)};
      console.log(${JSON.stringify(moments)}.map((text) => textOfDay(computeDay(Date.parse(text)))).join())`;
    const env = { ...process.env, TZ: zone };
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      env,
      encoding: 'utf8',
    });
    return output.trim().split(',');
  }

  const berlin = 'Europe/Berlin';
  it.each([
    ['UTC', ['2026-03-09T23:59:59.999Z', '2026-03-10T00:00:00Z'], ['2026-03-09', '2026-03-10']],
    [berlin, ['2026-03-09T22:59:59Z', '2026-03-09T23:00:00Z'], ['2026-03-09', '2026-03-10']],
    // The clocks go forward on 29 March (23 hours) and back on 25 October (25 hours).
    [berlin, ['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'], ['2026-03-29', '2026-03-29']],
    [berlin, ['2026-03-29T22:00:00Z'], ['2026-03-30']],
    [berlin, ['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'], ['2026-10-25', '2026-10-25']],
    [berlin, ['2026-10-25T23:00:00Z'], ['2026-10-26']],
    // There is no midnight on the day on which the clocks of Havana go forward.
    ['America/Havana', ['2026-03-08T04:59:59Z', '2026-03-08T05:00:00Z'], ['2026-03-07', '2026-03-08']],
    ['Pacific/Kiritimati', ['2026-03-09T10:00:00Z'], ['2026-03-10']],
  ])('%s %j', (zone, moments, days) => {
    expect(daysIn(zone, moments)).toEqual(days);
  });
});

describe('spans', () => {
  it('make up each range exactly, and begin at multiples of their length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 900 }), (from, count) => {
        const covered: number[] = [];
        for (const { length, first, last } of computeSpans(from, from + count)) {
          expect(spanLengths).toContain(length);
          for (let day = first; day <= last; day += length) {
            expect(spanStart(day, length)).toBe(day);
            for (let offset = 0; offset < length; offset++) covered.push(day + offset);
          }
        }
        expect(covered.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: count + 1 }, (_, index) => from + index),
        );
      }),
    );
  });

  it('are few for a year, and none for an empty range', () => {
    const counts = computeSpans(20_001, 20_365).map(({ length, first, last }) => (last - first) / length + 1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(24);
    expect(computeSpans(5, 4)).toEqual([]);
  });
});
