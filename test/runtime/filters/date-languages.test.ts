import { describe, expect, test } from 'vitest';
import { apply } from './shared.ts';

/** A Friday. */
const evening = '2024-02-09T21:05';

const inLanguage = (lang: string, format: string, value: string = evening) =>
  apply('date', value, [format], { lang });

describe('names of months and days', () => {
  test.each<[lang: string, expected: string]>([
    ['en', 'February, 9 February, Feb, feb, Feb., Fri, Friday'],
    ['en-gb', 'February, 9 February, Feb, feb, Feb., Fri, Friday'],
    ['de', 'Februar, 9 Februar, Feb, Feb, Feb., Fr, Freitag'],
    ['de-at', 'Februar, 9 Februar, Feb, Feb, Feb., Fr, Freitag'],
    ['fr', 'février, 9 février, Févr, févr, févr., ven, vendredi'],
    ['es', 'febrero, 9 febrero, Feb, feb, feb, vie, viernes'],
    ['it', 'febbraio, 9 febbraio, Feb, feb, feb, ven, venerdì'],
    ['pl', 'luty, 9 lutego, Lut, lut, lut, pt, piątek'],
    ['ru', 'февраль, 9 февраля, Февр, февр, февр., пт, пятница'],
    ['cs', 'únor, 9 února, Úno, úno, úno, pá, pátek'],
    ['pt-br', 'fevereiro, 9 fevereiro, Fev, fev, fev., sex, sexta-feira'],
    ['nl', 'februari, 9 februari, Feb, feb, feb, vr, vrijdag'],
    ['sv', 'februari, 9 februari, Feb, feb, feb., fre, fredag'],
    ['fi', 'helmikuu, 9 helmikuuta, Helmi, helmi, helmi, pe, perjantai'],
    ['hu', 'február, 9 február, Febr, febr, febr., P, péntek'],
    ['tr', 'Şubat, 9 Şubat, Şub, Şub, Şub, Cum, Cuma'],
    ['el', 'Φεβρουάριος, 9 Φεβρουαρίου, Φεβ, Φεβ, Φεβ, Παρ, Παρασκευή'],
    ['ja', '2月, 9 2月, 2月, 2月, 2月, 金, 金曜日'],
    ['zh-hans', '二月, 9 二月, 2月, 2月, 2月, 周五, 星期五'],
    ['ar', 'فبراير, 9 فبراير, فبراير, فبراير, فبراير, الجمعة, الجمعة'],
    ['xx', 'February, 9 February, Feb, feb, Feb., Fri, Friday'],
  ])('in %s', (lang, expected) => {
    expect(inLanguage(lang, 'F, j E, M, b, N, D, l')).toBe(expected);
  });

  test('the newspaper form in English', () => {
    const months = Array.from({ length: 12 }, (_, month) => `2024-${String(month + 1).padStart(2, '0')}-01`);
    expect(months.map((month) => inLanguage('en', 'N', month)).join(' ')).toBe(
      'Jan. Feb. March April May June July Aug. Sept. Oct. Nov. Dec.',
    );
  });

  test.each([
    ['PT_BR', 'fevereiro'],
    ['fr-xx', 'février'],
    ['fr-u-ca-hebrew-nu-arab', 'février'],
    ['fr-not a tag', 'février'],
    ['zh-tw', '2月'],
    ['no', 'februar'],
    ['fa', 'فوریه'],
    ['', 'February'],
    ['-', 'February'],
    ['f', 'February'],
    ['fr'.repeat(100_000), 'February'],
    ['__proto__', 'February'],
  ])('the tag %j', (lang, month) => {
    expect(inLanguage(lang, 'F')).toBe(month);
  });

  test('a language outside Europe keeps the calendar and the digits of the format', () => {
    expect(inLanguage('th', 'j n Y')).toBe('9 2 2024');
    expect(inLanguage('fa', 'j F Y')).toBe('9 فوریه 2024');
  });

  test('every language of the platform has twelve months and seven days with names', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const tags = Array.from(letters, (first) => Array.from(letters, (second) => first + second)).flat();
    const known = Intl.DateTimeFormat.supportedLocalesOf(tags);
    expect(known.length).toBeGreaterThan(100);
    for (const lang of known) {
      const texts = (format: string, dates: readonly string[]) =>
        new Set(dates.map((date) => inLanguage(lang, format, date)));
      const months = Array.from(
        { length: 12 },
        (_, month) => `2024-${String(month + 1).padStart(2, '0')}-01`,
      );
      const days = Array.from({ length: 7 }, (_, day) => `2024-09-0${day + 1}`);
      expect({ lang, months: texts('F', months).size, days: texts('l', days).size }).toEqual({
        lang,
        months: 12,
        days: 7,
      });
      for (const text of texts('[F][E][M][b][N][D][l][a][A][P]', [...months, ...days])) {
        expect(text).not.toMatch(/\[\d*\]|undefined/);
      }
    }
  });
});

describe('parts of the day', () => {
  test.each<[lang: string, expected: string]>([
    ['en', 'p.m. PM 9:05 p.m.'],
    ['de', 'nachm. nachm. 9:05 nachm.'],
    ['de-at', 'nachm. nachm. 9:05 nachm.'],
    ['fr', 'après-midi Après-midi 9:05 après-midi'],
    ['es', 'p.m. PM 9:05 p.m.'],
    ['it', 'p.m. PM 9:05 p.m.'],
    ['pl', 'po południu po południu 9:05 po południu'],
    ['ru', 'п.п. ПП 9:05 п.п.'],
    ['cs', 'odp. odp. 9:05 odp.'],
    ['pt-br', 'p.m. PM 9:05 p.m.'],
    ['nl', 'p.m. PM 9:05 p.m.'],
    ['sv', 'e.m. EM 9:05 e.m.'],
    ['fi', 'ip IP 9:05 ip'],
    ['hu', 'du DU 9:05 du'],
    ['tr', 'ö.s. ÖS 9:05 ö.s.'],
    ['el', 'μμ. ΜΜ 9:05 μμ.'],
    ['ja', 'p.m. PM 9:05 p.m.'],
    ['zh-hans', 'p.m. PM 9:05 p.m.'],
    ['ar', 'م م 9:05 م'],
    ['sr-latn', 'po p. PM 9:05 po p.'],
    ['hi', 'pm pm 9:05 pm'],
    ['xx', 'p.m. PM 9:05 p.m.'],
  ])('the evening in %s', (lang, expected) => {
    expect(inLanguage(lang, 'a A P')).toBe(expected);
  });

  test.each<[lang: string, midnight: string, noon: string]>([
    ['en', 'midnight', 'noon'],
    ['de', 'Mitternacht', 'Mittag'],
    ['fr', 'minuit', 'midi'],
    ['pt-br', 'meia-noite', 'meio-dia'],
    ['zh-hans', '午夜', '中午'],
    // No word is known.
    ['zu', '12 a.m.', '12 p.m.'],
  ])('midnight and noon in %s', (lang, midnight, noon) => {
    expect(inLanguage(lang, 'P', '2024-02-09T00:00')).toBe(midnight);
    expect(inLanguage(lang, 'P', '2024-02-09T12:00')).toBe(noon);
    expect(inLanguage(lang, 'P', '2024-02-09T00:01')).toMatch(/^12:01 /);
  });

  test('mornings', () => {
    expect(inLanguage('de', 'a A', '2024-02-09T09:00')).toBe('vorm. vorm.');
    expect(inLanguage('sv', 'a A', '2024-02-09T09:00')).toBe('f.m. FM');
  });
});
