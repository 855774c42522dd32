import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillAddress, hasDotSegment } from '../../../server/http/outgoing/address-template.ts';

const visitor = (value: string) => ({ value, mayNameHost: false });
const author = (value: string) => ({ value, mayNameHost: true });

describe('a filled address', () => {
  it('keeps any value within its segment and its part of the query', () => {
    const pieces = [
      '.',
      '..',
      '/',
      '\\',
      '%2e',
      '%2F',
      '%252e',
      '\t',
      '\n',
      '?',
      '#',
      '@',
      ':',
      ';',
      '&',
      'a',
    ];
    const value = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...pieces)).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(value, value, (inPath, inQuery) => {
        let text: string;
        try {
          text = fillAddress([
            'https://a.test/v1/items/',
            visitor(inPath),
            '/x?q=',
            visitor(inQuery),
            '&r=1',
          ]);
        } catch {
          return;
        }
        const { origin, pathname, searchParams } = new URL(text);
        expect([origin, pathname.split('/').length]).toEqual(['https://a.test', 5]);
        expect([pathname.startsWith('/v1/items/'), pathname.endsWith('/x')]).toEqual([true, true]);
        expect([...searchParams]).toEqual([
          ['q', inQuery.toWellFormed()],
          ['r', '1'],
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '.%2e',
    '%252e%252e',
    '..\\',
    '../admin',
    '..%2fadmin',
    '.\t.',
    '..;x',
    ' ..',
  ])('refuses %j as a segment', (value) => {
    expect(() => fillAddress(['https://a.test/v1/', visitor(value)])).toThrow('leave its path');
    expect(() => fillAddress(['https://a.test/v1/', visitor(value), '/x'])).toThrow('leave its path');
    expect(fillAddress(['https://a.test/v1?q=', visitor(value)])).toContain('/v1?q=');
  });

  it('refuses a dot that completes a segment of the author', () => {
    expect(() => fillAddress(['https://a.test/v1/.', visitor('.')])).toThrow('leave its path');
    expect(() => fillAddress(['https://a.test/v1/%2e', visitor('.'), '?x'])).toThrow('leave its path');
    expect(() => fillAddress(['https://a.test\\v1\\', visitor('..')])).toThrow('leave its path');
  });

  it('takes ordinary values, also with dots', () => {
    const at = (value: string) => fillAddress(['https://a.test/v1/../', visitor(value), '.json']);
    expect([at('a.b'), at('...'), at('a/b c')]).toEqual([
      'https://a.test/v1/../a.b.json',
      'https://a.test/v1/../....json',
      'https://a.test/v1/../a%2Fb%20c.json',
    ]);
  });

  it('lets a visitor choose a label below a fixed domain and nothing else of a host', () => {
    expect(fillAddress(['https://', visitor('de'), '.wiki.test/x'])).toBe('https://de.wiki.test/x');
    for (const value of ['evil.test/', 'a.b', '', '@evil', 'x:80'])
      expect(() => fillAddress(['https://', visitor(value), '.wiki.test/'])).toThrow('host');
    for (const parts of [
      ['https://', visitor('evil'), '/'],
      ['https://', visitor('evil'), '.test/'],
      ['https://api.test', visitor('a'), '/'],
      ['https://api.test', author('.evil.test'), '/'],
      ['https://api.test:', visitor('80'), '/'],
      ['https://', author('user@evil.test'), '/'],
      ['https://name:', author('x'), '@evil.test/'],
    ])
      expect(() => fillAddress(parts)).toThrow('host');
    expect(fillAddress(['https://', author('api.test'), ':', author('80'), '/x'])).toBe(
      'https://api.test:80/x',
    );
    expect(() => fillAddress([author('https'), '://a.test'])).toThrow('complete URL');
  });

  it('finds dot segments however often they are encoded', () => {
    let text = '/a/../b';
    for (let times = 0; times < 12; times++) {
      expect(hasDotSegment(text)).toBe(true);
      text = text.replaceAll('%', '%25').replaceAll('.', '%2e');
    }
    expect(hasDotSegment('/a/...%2525/b.c/..d/100%')).toBe(false);
  });
});
