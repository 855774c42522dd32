import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDue } from '../../../server/features/statistics/countries/schedule.ts';
import { parseIpv4, parseIpv6 } from '../../../server/features/statistics/country-lists/address.ts';
import { importLists, loadTable } from '../../../server/features/statistics/country-lists/import.ts';
import { ListParser, listText } from '../../../server/features/statistics/country-lists/list.ts';
import { listStates } from '../../../server/features/statistics/country-lists/store.ts';
import { CountryTable } from '../../../server/features/statistics/country-lists/table.ts';
import { Fixture, visit } from './fixture.ts';

const list = [
  '# a comment',
  '2|ripencc|20260301|6|19830705|20260228|+0100',
  'ripencc|*|ipv4|*|4|summary',
  'ripencc|DE|ipv4|192.0.2.0|256|19930901|allocated|opaque',
  'ripencc|FR|ipv4|192.0.3.0|128|19930901|assigned',
  'ripencc|SE|ipv4|198.51.100.0|256|19930901|reserved',
  'ripencc||ipv4|203.0.113.0|256||available',
  'ripencc|EU|ipv4|203.0.112.0|256|19930901|allocated',
  'ripencc|DE|asn|64500|1|19930901|allocated',
  'ripencc|FR|ipv6|2001:db8::|32|20010101|allocated',
  'ripencc|IT|ipv6|2001:db9:1:2::|64|20010101|assigned',
  '',
].join('\r\n');

function parse(...pieces: readonly string[]) {
  const parser = new ListParser();
  for (const piece of pieces) parser.add(piece);
  return parser.finish();
}

describe('an allocation list', () => {
  it.each([
    ['192.0.2.0', 'DE'],
    ['192.0.2.255', 'DE'],
    ['192.0.3.0', 'FR'],
    ['192.0.3.127', 'FR'],
    ['192.0.3.128', undefined],
    ['192.0.1.255', undefined],
    ['198.51.100.1', undefined],
    ['203.0.113.1', undefined],
    ['203.0.112.1', undefined],
    ['2001:db8::1', 'FR'],
    ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'FR'],
    ['2001:db9::1', undefined],
    ['2001:db9:1:2::1', 'IT'],
    ['2001:db9:1:3::1', undefined],
    ['::1', undefined],
    ['127.0.0.1', undefined],
    ['', undefined],
    ['nonsense', undefined],
  ])('says of %s: %s', (address, country) => {
    expect(new CountryTable([parse(list)]).find(address)).toBe(country);
  });

  it('may come in pieces of any length, and is stored so that it reads the same', () => {
    const whole = parse(list);
    expect(parse(...list)).toEqual(whole);
    expect(parse(listText(whole))).toEqual(whole);
  });

  const header = '2|arin|20260301|1|19830705|20260228|+0100\n';
  it.each([
    ['', 'it is empty'],
    ['<html>not found</html>', 'its first line names no registry'],
    ['2|nobody|20260301|1', 'its first line names no registry'],
    [header, 'it has no ranges'],
    [`${header}ripencc|DE|ipv4|192.0.2.0|256|1|allocated`, 'line 2 belongs to another registry'],
    [`${header}arin|DE|ipv4|192.0.2.256|256|1|allocated`, 'line 2 has no range'],
    [`${header}arin|DE|ipv4|255.255.255.0|257|1|allocated`, 'line 2 has no range'],
    [`${header}arin|DE|ipv4|192.0.2.0|-1|1|allocated`, 'line 2 has no range'],
    [`${header}arin|DE|ipv6|2001:db8::|129|1|allocated`, 'line 2 has no range'],
    [`${header}arin|__proto__|ipv4|192.0.2.0|256|1|allocated`, 'line 2 names no country'],
    [`${header}${'x'.repeat(20_000)}`, 'line 2 is too long'],
  ])('is refused: %#', (text, reason) => {
    expect(() => parse(text)).toThrow(reason);
  });

  it('finds what a search through all ranges finds', () => {
    const range = fc.record({
      first: fc.integer({ min: 0, max: 200 }),
      count: fc.integer({ min: 1, max: 30 }),
      country: fc.constantFrom('DE', 'FR', 'SE'),
    });
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
        // Ranges of the registries do not overlap.
        const apart = ranges.map(
          ({ first, count, country }, index) => [index * 300 + first, count, country] as const,
        );
        const lines = apart.map(
          ([first, count, country]) =>
            `arin|${country}|ipv4|0.0.${first >> 8}.${first & 255}|${count}||assigned`,
        );
        const table = new CountryTable(lines.length === 0 ? [] : [parse(header + lines.join('\n'))]);
        for (let address = 0; address < 4000; address += 7) {
          const found = apart.find(([first, count]) => address >= first && address < first + count);
          expect(table.find(`0.0.${address >> 8}.${address & 255}`)).toBe(found?.[2]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('reaches to the last address', () => {
    const table = new CountryTable([
      parse(`${header}arin|US|ipv4|255.0.0.0|16777216|1|assigned\narin|CA|ipv6|ff00::|8|1|assigned`),
    ]);
    expect(
      ['255.255.255.255', 'ffff:ffff:ffff:ffff::', '254.255.255.255'].map((text) => table.find(text)),
    ).toEqual(['US', 'CA', undefined]);
  });
});

describe('addresses', () => {
  it.each(['', '1.2.3', '1.2.3.4.5', '1.2.3.256', '01.2.3.4', '1..2.3', 'a.b.c.d', '1.2.3.4 '])(
    '%j is no IPv4',
    (text) => {
      expect(parseIpv4(text)).toBeUndefined();
    },
  );

  it.each(['', '1:2:3', ':::', '1::2::3', '12345::', 'g::', '1:2:3:4:5:6:7:8:9', 'fe80::1%eth0'])(
    '%j is no IPv6',
    (text) => {
      expect(parseIpv6(text)).toBeUndefined();
    },
  );

  it('are read in every spelling', () => {
    expect(parseIpv4('203.0.113.7')).toBe(0xcb007107);
    const half = { high: 0x20010db8, low: 0 };
    for (const text of ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8::', '2001:db8::192.0.2.1'])
      expect(parseIpv6(text)).toEqual(half);
    expect(parseIpv6('::')).toEqual({ high: 0, low: 0 });
  });
});

describe('stored lists', () => {
  let fixture: Fixture;
  let table: CountryTable | undefined;

  beforeEach(() => {
    table = undefined;
    fixture = new Fixture(() => (table === undefined ? undefined : (address) => table?.find(address)));
  });
  afterEach(() => fixture.close());

  const write = (name: string, bytes: string | Uint8Array) => {
    const path = join(fixture.dataDir, name);
    writeFileSync(path, bytes);
    return { path, etag: '"1"', lastModified: '' };
  };
  const take = (...files: Parameters<typeof importLists>[1]) => importLists(fixture.store, files, 1000);
  const states = async () =>
    (await listStates(fixture.databases.activity.reader)).map(({ rir, ranges, etag }) => [rir, ranges, etag]);

  it('may be compressed, and replace the last one of their registry', async () => {
    await take(write('a', gzipSync(list)), write('b', list.replaceAll('ripencc', 'apnic')));
    expect(await states()).toEqual([
      ['apnic', 4, '"1"'],
      ['ripencc', 4, '"1"'],
    ]);
    await take(write('a', '2|ripencc\nripencc|AT|ipv4|192.0.2.0|1||assigned\n'));
    expect(await states()).toContainEqual(['ripencc', 1, '"1"']);
  });

  it('are all taken over, or none', async () => {
    await expect(take(write('a', list), write('b', 'nonsense'))).rejects.toThrow('names no registry');
    await expect(take(write('a', list), write('b', list))).rejects.toThrow('two lists of ripencc');
    await expect(take({ ...write('a', list), registry: 'arin' })).rejects.toThrow('the list of ripencc');
    await expect(take(write('a', gzipSync(list).subarray(0, 60)))).rejects.toThrow();
    const damaged = gzipSync(list);
    damaged[30] = (damaged[30] ?? 0) ^ 255;
    await expect(take(write('a', damaged))).rejects.toThrow('its compression is damaged');
    expect(await states()).toEqual([]);
    expect(await loadTable(fixture.databases.activity.reader)).toBeUndefined();
  });

  it('tell the countries of visitors', async () => {
    await fixture.count([visit({ peer: '192.0.2.1' })]);
    expect((await fixture.report()).dims.country).toEqual([]);
    await take(write('a', list));
    table = await loadTable(fixture.databases.activity.reader);
    await fixture.count(
      ['192.0.2.2', '192.0.2.3', '2001:db8::5', '10.0.0.1', '192.0.2.2'].map((peer) => visit({ peer })),
    );
    await fixture.count([visit({ peer: '192.0.2.77' })], false);
    expect((await fixture.report()).dims.country).toEqual([
      { name: 'DE', visitors: 2 },
      { name: '(unbekannt)', visitors: 1 },
      { name: 'FR', visitors: 1 },
    ]);
    expect((await fixture.report({ countries: false })).dims.country).toEqual([]);
    expect(existsSync(fixture.dataDir) && readdirSync(fixture.dataDir)).toContain('a');
  });
});

describe('a list is due', () => {
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime();
  const checked = (time: number, error = '') => ({ checked_at: time / 1000, error });

  it.each([
    ['without data, at once', undefined, false, at(10, 12), true],
    ['without data, not within the hour', checked(at(10, 12), 'no'), false, at(10, 12, 59), false],
    ['without data, after an hour', checked(at(10, 12), 'no'), false, at(10, 13), true],
    ['a day later: not yet', checked(at(3, 3, 10)), true, at(4, 3, 10), false],
    ['a week later, before 3 a.m.: not yet', checked(at(3, 3, 10)), true, at(10, 2, 59), false],
    ['a week later, from 3 a.m. on', checked(at(3, 3, 10)), true, at(10, 3), true],
    ['asked for at noon: in the night after a week', checked(at(3, 12)), true, at(11, 3), true],
    ['asked for at noon: not in the evening', checked(at(3, 12)), true, at(10, 2, 59), false],
    ['after a night that was missed', checked(at(3, 3)), true, at(12, 15), true],
    ['after an error, not in the same night', checked(at(10, 3, 1), 'no'), true, at(10, 5), false],
    ['after an error, in the following night', checked(at(10, 3, 1), 'no'), true, at(11, 3), true],
    // The clocks go forward on 29 March in Europe.
    ['in the week in which the clocks change', checked(at(24, 3, 1)), true, at(31, 3), true],
    ['if the clock was set back', checked(at(30, 3)), true, at(10, 12), true],
  ])('%s', (_name, state, hasData, now, due) => {
    expect(isDue(state, hasData, now)).toBe(due);
  });
});
