import { describe, expect, test } from 'vitest';
import { apply, now, safe } from './shared.ts';

const night = new Date('2024-12-31T23:05:09.120Z');
const berlin = { timeZone: 'Europe/Berlin' };

describe('date', () => {
  test.each<[letters: string, expected: string]>([
    ['d j D l S', '31 31 Tue Tuesday st'],
    ['m n M b F N E', '12 12 Dec dec December Dec. December'],
    ['y Y L t z', '24 2024 True 31 366'],
    ['o W w', '2025 1 2'],
    ['g G h H i s u', '11 23 11 23 05 09 120000'],
    ['a A f P', 'p.m. PM 11:05 11:05 p.m.'],
    ['e T O Z I', 'UTC UTC +0000 0 0'],
    ['c', '2024-12-31T23:05:09.120000+00:00'],
    ['r', 'Tue, 31 Dec 2024 23:05:09 +0000'],
    ['U', '1735686309'],
    ['\\d\\a\\y j', 'day 31'],
    ['jS \\o\\f F', '31st of December'],
    ['k x q!', 'k x q!'],
  ])('of %s', (letters, expected) => {
    expect(apply('date', night, [letters])).toBe(expected);
  });

  test.each<[letters: string, expected: string]>([
    ['Y-m-d H:i', '2025-01-01 00:05'],
    ['e T O Z I', 'CET CET +0100 3600 0'],
    ['c', '2025-01-01T00:05:09.120000+01:00'],
    ['U', '1735686309'],
  ])('of %s in another zone', (letters, expected) => {
    expect(apply('date', night, [letters], berlin)).toBe(expected);
  });

  test('summer time, and zones whose names have no letters', () => {
    expect(apply('date', now, ['H:i T O I'], berlin)).toBe('15:45 CEST +0200 1');
    expect(apply('date', now, ['H:i T O I'], { timeZone: 'America/New_York' })).toBe('09:45 EDT -0400 1');
    expect(apply('date', now, ['H:i T O'], { timeZone: 'America/Sao_Paulo' })).toBe('10:45 -03 -0300');
    expect(apply('date', now, ['H:i O'], { timeZone: 'Asia/Kathmandu' })).toBe('19:30 +0545');
  });

  test.each<[value: unknown, letters: string, expected: string]>([
    ['2024-05-01', 'j F Y', '1 May 2024'],
    ['2024-05-01', 'H:i', '00:00'],
    ['2024-05-01', 'c', '2024-05-01'],
    ['2024-05-01T10:30', 'H:i:s e', '10:30:00 '],
    ['2024-05-01 10:30:15.5', 'H:i:s u', '10:30:15 500000'],
    ['2024-05-01T10:30:00Z', 'H:i', '12:30'],
    ['2024-05-01T10:30:00-05:00', 'H:i', '17:30'],
    ['2024-05-01T10:30:00+0200', 'c', '2024-05-01T10:30:00+02:00'],
    [safe('2024-05-01'), 'Y', '2024'],
  ])(
    '%s as text in the format %s: wall times stay, instants are converted to the time zone',
    (value, letters, expected) => {
      expect(apply('date', value, [letters], berlin)).toBe(expected);
    },
  );

  test.each([
    null,
    '',
    'soon',
    '2024-02-30',
    '2024-13-01',
    '2024-05-01T25:00',
    '01.05.2024',
    1.5,
    1e300,
    -8.64e12,
    true,
    [],
    new Date(Number.NaN),
    new Date(8.64e15),
    new Date(-8.64e15),
  ])('%j is no date and prints nothing', (value) => {
    expect(apply('date', value, ['Y'])).toBe('');
  });

  test('Unix seconds are instants, like the times of pages and files', () => {
    expect(apply('date', 1714559400, ['Y-m-d H:i e'], berlin)).toBe('2024-05-01 12:30 CEST');
    expect(apply('time', 1714559400, ['H:i'], berlin)).toBe('12:30');
    expect(apply('date', 0, ['Y'])).toBe('1970');
    expect(apply('timeuntil', now.getTime() / 1000 + 7200, [])).toBe('2\u00a0hours');
  });

  test('a wall time that the clocks skip or show twice has an instant', () => {
    expect(apply('date', '2024-03-31T02:30', ['U'], berlin)).toBe(
      String(Date.parse('2024-03-31T01:30Z') / 1000),
    );
    expect(apply('date', '2024-10-27T02:30', ['U'], berlin)).toBe(
      String(Date.parse('2024-10-27T00:30Z') / 1000),
    );
  });

  test.each([
    ['2024-03-31T02:30', '[][][][]'],
    ['2024-10-27T02:30', '[][][][]'],
    [new Date('2024-10-27T01:30Z'), '[][][][]'],
    ['2024-03-31T01:59', '[CET][+0100][3600][0]'],
    ['2024-03-31T03:00', '[CEST][+0200][7200][1]'],
    [new Date('2024-10-26T23:59Z'), '[CEST][+0200][7200][1]'],
    [new Date('2024-10-27T02:00Z'), '[CET][+0100][3600][0]'],
  ])('the zone at %s is empty if clocks show that time twice or never', (value, expected) => {
    expect(apply('date', value, ['[T][O][Z][I]'], berlin)).toBe(expected);
  });

  test('names and standard formats follow the language', () => {
    expect(apply('date', night)).toBe('Dec. 31, 2024');
    expect(apply('date', night, [], { lang: 'de' })).toBe('31. Dezember 2024');
    expect(apply('date', night, ['SHORT_DATE_FORMAT'], { lang: 'de-CH' })).toBe('31.12.2024');
    expect(apply('date', night, ['l, j. M Y'], { lang: 'de' })).toBe('Dienstag, 31. Dez 2024');
    expect(apply('date', '2024-03-05', ['b M'], { lang: 'de' })).toBe('Mär Mär');
    expect(apply('date', night, ['r'], { lang: 'de' })).toBe('Tue, 31 Dec 2024 23:05:09 +0000');
    expect(apply('date', night, ['F'], { lang: 'xx' })).toBe('December');
  });

  test.each([[''], [null], [safe('')]])('with the format %j the standard format is used', (format) => {
    expect(apply('date', night, [format])).toBe('Dec. 31, 2024');
  });

  test.each([
    ['Asia/Tokyo', 'JST'],
    ['Asia/Jerusalem', 'IDT'],
    ['America/St_Johns', 'NDT'],
    ['Europe/Dublin', 'IST'],
    ['Asia/Hong_Kong', 'HKT'],
  ])('the time zone %s is called %s in summer', (timeZone, name) => {
    expect(apply('date', now, ['T e'], { timeZone })).toBe(`${name} ${name}`);
  });

  test.each(['date', 'time'])('%s refuses a format of more than 10,000 characters', (filter) => {
    expect(apply(filter, night, ['H'.repeat(10_000)])).toHaveLength(20_000);
    expect(() => apply(filter, night, ['H'.repeat(10_001)])).toThrow(
      'the format of a date has 10001 characters, more than 10000',
    );
  });
});

describe('time', () => {
  test.each<[value: unknown, args: unknown[], expected: string]>([
    [night, [], '11:05 p.m.'],
    ['2024-05-01T00:00', [], 'midnight'],
    ['2024-05-01T12:00', [], 'noon'],
    ['2024-05-01T12:30', ['H:i'], '12:30'],
    ['2024-05-01', ['H:i'], ''],
    [night, [''], '11:05 p.m.'],
    [night, [null], '11:05 p.m.'],
    [night, ['Y-m-d H:i'], ''],
    [night, ['\\a\\t H'], 'at 23'],
    ['x', [], ''],
    [null, [], ''],
  ])('%j with %j', (value, args, expected) => {
    expect(apply('time', value, args)).toBe(expected);
  });

  test('in German', () => {
    expect(apply('time', night, [], { lang: 'de' })).toBe('23:05');
    expect(apply('time', '2024-05-01T12:00', ['P'], { lang: 'de' })).toBe('Mittag');
  });
});

describe('time between', () => {
  test.each<[from: string, to: string, expected: string]>([
    ['2024-05-15T13:00', '2024-05-15T13:00:59', '0 minutes'],
    ['2024-05-15T13:00', '2024-05-15T14:01', '1 hour, 1 minute'],
    ['2024-05-15T13:00', '2024-05-22T14:00', '1 week'],
    ['2024-05-01', '2024-05-19', '2 weeks, 4 days'],
    ['2024-01-31', '2024-02-29', '4 weeks, 1 day'],
    ['2024-01-31', '2024-03-01', '1 month'],
    ['2024-01-31', '2024-03-08', '1 month, 1 week'],
    ['2020-02-29', '2021-02-28', '11 months, 4 weeks'],
    ['2007-08-10', '2008-09-10', '1 year, 1 month'],
    ['2024-05-16', '2024-05-15', '0 minutes'],
  ])('%s and %s', (from, to, expected) => {
    const words = expected.replaceAll(/(\d) /g, '$1\u00a0');
    expect(apply('timesince', from, [to])).toBe(words);
    expect(apply('timeuntil', to, [from])).toBe(words);
  });

  test('without a second date the time from or to now counts', () => {
    expect(apply('timesince', new Date('2024-05-15T11:45:10Z'))).toBe('2\u00a0hours');
    expect(apply('timesince', '2024-05-14')).toBe('1\u00a0day, 13\u00a0hours');
    expect(apply('timeuntil', '2024-05-16T00:00', [], berlin)).toBe('8\u00a0hours, 14\u00a0minutes');
    expect(apply('timesince', new Date('2024-05-15T11:45:10Z'), [], { lang: 'de' })).toBe('2\u00a0Stunden');
  });

  test('a day between instants has 24 hours, also with a change of clocks in it', () => {
    const [before, after] = [new Date('2024-03-30T12:00Z'), new Date('2024-03-31T12:00Z')];
    expect(apply('timesince', before, [after], berlin)).toBe('1\u00a0day');
    expect(apply('timeuntil', after, [before], berlin)).toBe('1\u00a0day');
  });

  test('an instant and a wall time cannot be compared, as in Django', () => {
    expect(apply('timesince', now, ['2024-05-16'])).toBe('');
    expect(apply('timesince', '2024-05-01', [now])).toBe('');
    expect(apply('timesince', 'x')).toBe('');
    expect(apply('timesince', '2024-05-01', ['x'])).toBe('');
  });
});
