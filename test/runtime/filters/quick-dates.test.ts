/** Dates that are written quickly must be those that the exact way writes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filters } from '../../../runtime/filters/index.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Texts that are nearly always a date, with fields at and beyond their bounds. */
const isoText = fc
  .record({
    year: fc.oneof(fc.integer({ min: 1890, max: 2110 }), fc.integer({ min: 0, max: 9999 })),
    month: fc.integer({ min: 0, max: 13 }),
    day: fc.oneof(fc.integer({ min: 0, max: 32 }), fc.integer({ min: 27, max: 31 })),
    hour: fc.integer({ min: 0, max: 24 }),
    minute: fc.oneof(fc.constantFrom(0, 60), fc.integer({ min: 0, max: 59 })),
    second: fc.constantFrom('', ':00', ':07', ':59', ':60', ':5', ':'),
    fraction: fc.constantFrom('', '', '', '.5', ',123456', '.1234567890', '.'),
    separator: fc.constantFrom('T', ' ', 't', '\t', 'x'),
    zone: fc.constantFrom('', '', 'Z', 'z', '+02:00', '-0530', '+9', ' Z', '+14:00', '-99:99', 'Z '),
    shape: fc.constantFrom('day', 'minute', 'second'),
  })
  .map(({ year, month, day, hour, minute, second, fraction, separator, zone, shape }) => {
    const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
    if (shape === 'day') return date;
    return `${date}${separator}${two(hour)}:${two(minute)}${shape === 'second' ? second + fraction : ''}${zone}`;
  });

const value = fc.oneof(
  isoText,
  fc
    .tuple(isoText, fc.nat(30), fc.constantFrom('', '0', '-', 'é', '9'))
    .map(([text, at, part]) => text.slice(0, at) + part + text.slice(at + 1)),
  fc.date({ noInvalidDate: false }),
  fc.integer({ min: -70_000_000_000, max: 260_000_000_000 }),
  fc.double(),
);

const format = fc.oneof(
  fc.constantFrom('DATE_FORMAT', 'TIME_FORMAT', 'SHORT_DATETIME_FORMAT', 'c', 'jS F Y', 'P', ''),
  fc.string({
    unit: fc.constantFrom(...'aAbcdDeEfFgGhHijlLmMnNPrsSTuUwWyYzZ', ...' .:,-<&"éx', '\\'),
    maxLength: 8,
  }),
);

test.each(['date', 'time'])('%s', (name) => {
  const filter = filters.get(name);
  let compared = 0;
  fc.assert(
    fc.property(
      value,
      format,
      fc.constantFrom('en', 'de', 'fr', 'hy'),
      fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'),
      (given, argument, lang, timeZone) => {
        const env = { autoescape: false, lang, timeZone, now: () => new Date(0) };
        const quick = filter?.quick?.([argument], false)?.(given, env);
        if (quick === undefined) return;
        compared += 1;
        expect(quick).toBe(filter?.apply(given, env, argument));
      },
    ),
    { numRuns: 20_000 },
  );
  expect(compared).toBeGreaterThan(2_000);
});
