import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHost, resolveSite, siteTable } from '../../../runtime/content/site-host.ts';
import { parsePath } from '../../../runtime/page/route.ts';
import { routeValue } from '../../../runtime/page/variables.ts';

describe('parsePath', () => {
  it.each([
    ['/', [], false],
    ['/a', ['a'], false],
    ['/a/', ['a'], true],
    ['/a/b', ['a', 'b'], false],
    ['/caf%C3%A9', ['café'], false],
    ['/a%3Fb', ['a?b'], false],
    ['/a%2520b', ['a%20b'], false],
    ['/a%26b', ['a&b'], false],
    ['/...', ['...'], false],
  ])('reads %s', (raw, segments, trailingSlash) => {
    expect(parsePath(raw)).toEqual({ segments, trailingSlash });
  });

  it.each([
    '//',
    '//a',
    '/a//b',
    '/a//',
    '/.',
    '/a/.',
    '/a/..',
    '/../a',
    '/%2e%2e/a',
    '/.%2E',
    '/a%2Fb',
    '/a%5Cb',
    '/a\\b',
    '/a%00',
    '/a%0d%0ab',
    '/%',
    '/%zz',
    '/%ff',
    '/%c3%28',
    'a',
    '',
  ])('refuses %j', (raw) => {
    expect(parsePath(raw)).toBeUndefined();
  });

  it('never throws and never returns a segment that means another path', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'/.%25cfea\\\u0000?#é') }), (text) => {
        for (const segment of parsePath(`/${text}`)?.segments ?? []) {
          expect(['', '.', '..']).not.toContain(segment);
          expect(segment).not.toMatch(/[/\\]/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('resolveSite', () => {
  const sites = siteTable([
    { id: 3, domains: 'one.test\nalias.test', default_site: false },
    { id: 5, domains: '', default_site: true },
  ]);

  it.each([
    ['one.test', { siteId: 3, host: 'one.test', fromRequest: false }],
    ['alias.test:81', { siteId: 3, host: 'alias.test', fromRequest: false }],
    ['other.test:81', { siteId: 5, host: 'other.test:81', fromRequest: true }],
  ])('%s', (host, expected) => {
    expect(resolveSite(sites, host)).toEqual(expected);
  });

  it('uses the oldest website if none is the default', () => {
    const table = siteTable([
      { id: 3, domains: '', default_site: false },
      { id: 5, domains: '', default_site: false },
    ]);
    expect(resolveSite(table, 'x')?.siteId).toBe(3);
  });

  it('finds nothing without a website', () => {
    expect(resolveSite(siteTable([]), 'x')).toBeUndefined();
  });

  it.each(['evil.test/', 'a"b', 'a b', '<script>', 'a\r\nb', 'x'.repeat(300)])(
    'takes %j for no host',
    (host) => {
      expect(isHost(host)).toBe(false);
    },
  );
});

describe('routeValue', () => {
  it('contains only query parameters of the request', () => {
    const { query } = routeValue('/a', [], '__proto__=x&constructor=y&a=1&a=2&b=%20+c', () => {});
    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(Object.getOwnPropertyNames(query).sort()).toEqual(['__proto__', 'a', 'b', 'constructor']);
    expect([query['a'], query['b']]).toEqual(['2', '  c']);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  it.each(['a=1', ''])('tells once that the query %j is read', (query) => {
    let count = 0;
    const route = routeValue('/a', [], query, () => count++);
    expect([route.path, route.slug, route.rest, count]).toEqual(['/a', '', [], 0]);
    expect([route.query['a'], route.query['b'], count]).toEqual([
      query === '' ? undefined : '1',
      undefined,
      1,
    ]);
  });

  it('joins the rest of the path', () => {
    expect(routeValue('/a/b/c', ['b', 'c'], '', () => {})).toMatchObject({
      path: '/a/b/c',
      slug: 'b/c',
      rest: ['b', 'c'],
    });
  });
});
