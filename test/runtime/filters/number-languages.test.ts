import { describe, expect, test } from 'vitest';
import { apply, safe } from './shared.ts';

/** White space as it looks: which of the no-break spaces separates groups depends on the version of Unicode. */
const plainSpaces = (value: unknown) => String(value).replaceAll(/\s/g, ' ');

describe('numbers', () => {
  test.each<[lang: string, grouped: string, plain: string]>([
    ['en', '1,234,567.50', '-1234.5'],
    ['de', '1.234.567,50', '-1234,5'],
    ['de-at', '1.234.567,50', '-1234,5'],
    ['fr', '1 234 567,50', '-1234,5'],
    ['es', '1.234.567,50', '-1234,5'],
    ['it', '1.234.567,50', '-1234,5'],
    ['pl', '1 234 567,50', '-1234,5'],
    ['ru', '1 234 567,50', '-1234,5'],
    ['cs', '1 234 567,50', '-1234,5'],
    ['pt-br', '1.234.567,50', '-1234,5'],
    ['nl', '1.234.567,50', '-1234,5'],
    ['sv', '1 234 567,50', '-1234,5'],
    ['fi', '1 234 567,50', '-1234,5'],
    ['hu', '1 234 567,50', '-1234,5'],
    ['tr', '1.234.567,50', '-1234,5'],
    ['el', '1.234.567,50', '-1234,5'],
    ['ja', '1,234,567.50', '-1234.5'],
    ['zh-hans', '1,234,567.50', '-1234.5'],
    ['xx', '1,234,567.50', '-1234.5'],
  ])('floatformat in %s', (lang, grouped, plain) => {
    expect(plainSpaces(apply('floatformat', 1234567.5, ['2g'], { lang }))).toBe(grouped);
    expect(apply('floatformat', -1234.5, [1], { lang })).toEqual(safe(plain));
    expect(apply('floatformat', 1234567.5, ['2gu'], { lang })).toEqual(safe('1234567.50'));
  });

  test.each<[lang: string, one: string, many: string, kilo: string]>([
    ['en', '1 byte', '1023 bytes', '1.5 KB'],
    ['de', '1 Byte', '1023 Bytes', '1,5 KB'],
    ['fr', '1 octet', '1023 octets', '1,5 KB'],
    ['pl', '1 bajt', '1023 bajty', '1,5 KB'],
    ['xx', '1 byte', '1023 bytes', '1.5 KB'],
  ])('filesizeformat in %s', (lang, one, many, kilo) => {
    const sizes = [1, 1023, 1536].map((size) => apply('filesizeformat', size, [], { lang }));
    expect(sizes).toEqual([one, many, kilo].map((text) => text.replace(' ', '\u00a0')));
  });
});

describe('spans of time', () => {
  test.each<[lang: string, hour: string, years: string]>([
    ['en', '1 hour', '5 years, 2 months'],
    ['en-gb', '1 hour', '5 years, 2 months'],
    ['de', '1 Stunde', '5 Jahre, 2 Monate'],
    ['de-at', '1 Stunde', '5 Jahre, 2 Monate'],
    ['fr', '1 heure', '5 ans, 2 mois'],
    ['es', '1 hora', '5 años, 2 meses'],
    ['it', '1 ora', '5 anni, 2 mesi'],
    ['pl', '1 godzina', '5 lat, 2 miesiące'],
    ['ru', '1 час', '5 лет, 2 месяца'],
    ['cs', '1 hodina', '5 let, 2 měsíce'],
    ['pt-br', '1 hora', '5 anos, 2 meses'],
    ['nl', '1 uur', '5 jaar, 2 maanden'],
    ['sv', '1 timme', '5 år, 2 månader'],
    ['fi', '1 tunti', '5 vuotta, 2 kuukautta'],
    ['hu', '1 óra', '5 év, 2 hónap'],
    ['tr', '1 saat', '5 yıl, 2 ay'],
    ['xx', '1 hour', '5 years, 2 months'],
  ])('timesince in %s', (lang, hour, years) => {
    const between = (from: string, to: string) => apply('timesince', from, [to], { lang });
    const noBreak = (text: string) => text.replaceAll(/(\d) /g, '$1\u00a0');
    expect(between('2024-01-01T10:00', '2024-01-01T11:00')).toBe(noBreak(hour));
    expect(between('2019-01-01', '2024-03-01')).toBe(noBreak(years));
    expect(apply('timeuntil', '2024-03-01', ['2019-01-01'], { lang })).toBe(noBreak(years));
  });
});
