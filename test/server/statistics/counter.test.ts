import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { computeDay, textOfDay } from '../../../server/features/statistics/counting/days.ts';
import { forgetOldSalt } from '../../../server/features/statistics/counting/salt.ts';
import { type Visit, visitsIn, visitText } from '../../../server/features/statistics/counting/visit.ts';
import { agents, Fixture, noon, visit } from './fixture.ts';

let fixture: Fixture;

beforeEach(() => {
  fixture = new Fixture();
});
afterEach(() => fixture.close());

describe('what counts', () => {
  it.each([
    ['crawler', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    [
      'browser without a screen',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/130.0.0.0 Safari/537.36',
    ],
    ['program', 'curl/8.5.0'],
    ['no User-Agent', ''],
    ['blank User-Agent', '   '],
  ])('not the visit of a bot: %s', async (_name, userAgent) => {
    await fixture.count([visit({ userAgent }), visit({ userAgent, kind: 'download', path: 'a.pdf' })]);
    expect(await fixture.report()).toMatchObject({ views: 0, has_data: false, downloads_total: 0 });
  });

  it('not a visit of a website that does not exist any more', async () => {
    await fixture.count([visit({ siteId: 3 })]);
    expect(await fixture.report({ sites: [3] })).toMatchObject({ views: 0, has_data: false });
  });

  it('a visitor once a day, once for each page, and once for each of what visitors have in common', async () => {
    const other = { path: '/a', peer: '203.0.113.8' };
    await fixture.count([
      visit(),
      visit({ path: '/a', referer: 'https://site.test/' }),
      visit({ path: '/a' }),
      visit({ ...other, userAgent: agents.chrome, referer: 'https://News.example:8443/x?y' }),
      visit({ ...other, userAgent: agents.iphone }),
    ]);
    expect(await fixture.report()).toEqual({
      views: 5,
      visitors: 3,
      first_day: '2026-03-10',
      last_day: '2026-03-10',
      has_data: true,
      days: [{ day: '2026-03-10', views: 5, visitors: 3 }],
      pages: [
        { root_id: 1, name: '/a', views: 4, visitors: 3 },
        { root_id: 1, name: '/', views: 1, visitors: 1 },
      ],
      dims: {
        referrer: [
          { name: '(direkt)', visitors: 2 },
          { name: 'news.example', visitors: 1 },
        ],
        browser: ['Chrome', 'Firefox', 'Safari'].map((name) => ({ name, visitors: 1 })),
        os: ['Linux', 'Windows', 'iOS'].map((name) => ({ name, visitors: 1 })),
        device: [
          { name: 'desktop', visitors: 2 },
          { name: 'mobile', visitors: 1 },
        ],
        country: [],
      },
      downloads: [],
      downloads_total: 0,
    });
  });

  it('a visitor of two days, and of two websites, twice', async () => {
    const tomorrow = new Date(2026, 2, 11, 8).getTime();
    await fixture.count([visit(), visit({ siteId: 2 }), visit({ at: tomorrow })]);
    expect(await fixture.report({ sites: [1, 2] })).toMatchObject({
      views: 3,
      visitors: 3,
      days: [
        { day: '2026-03-10', views: 2, visitors: 2 },
        { day: '2026-03-11', views: 1, visitors: 1 },
      ],
      pages: [
        { root_id: 1, name: '/', views: 2, visitors: 2 },
        { root_id: 2, name: '/', views: 1, visitors: 1 },
      ],
      dims: { browser: [{ name: 'Firefox', visitors: 3 }] },
    });
  });

  it('equal views that come as one: each of them, and their visitor once', async () => {
    const often = visit({ times: 3, referer: 'https://news.example/' });
    await fixture.count([often, often, visit({ kind: 'download', path: 'a.pdf', times: 2 })]);
    expect(await fixture.report()).toMatchObject({
      ...{ views: 6, visitors: 1, downloads_total: 2 },
      pages: [{ name: '/', views: 6, visitors: 1 }],
      dims: { referrer: [{ name: 'news.example', visitors: 1 }] },
    });
    expect(fixture.counter.recent.figures(noon, 1)).toMatchObject({ views: 6, visitors: 1 });
  });

  it('views of a batch that another follows, with the last of them', async () => {
    const { domains } = fixture;
    const count = (path: string, more: boolean) =>
      fixture.counter.count({ visits: [visit({ path })], domains, countries: true, more });
    await count('/a', true);
    await count('/b', true);
    expect(await fixture.report()).toMatchObject({ views: 0 });
    await count('/c', false);
    expect(await fixture.report()).toMatchObject({ views: 3, visitors: 1 });
  });

  it('downloads, but not as views', async () => {
    await fixture.count(['a.pdf', 'b.zip', 'a.pdf'].map((path) => visit({ kind: 'download', path })));
    expect(await fixture.report()).toMatchObject({
      views: 0,
      visitors: 0,
      days: [],
      pages: [],
      dims: { browser: [] },
      downloads: [
        { root_id: 1, name: 'a.pdf', views: 2, visitors: 1 },
        { root_id: 1, name: 'b.zip', views: 1, visitors: 1 },
      ],
      downloads_total: 3,
      has_data: true,
    });
  });
});

describe('names', () => {
  const namesOf = async (fields: Partial<Visit>) => {
    await fixture.count([visit(fields)]);
    const { pages, dims } = await fixture.report();
    return { page: pages[0]?.name, referrer: dims.referrer[0]?.name, browser: dims.browser[0]?.name };
  };

  it.each([
    ['/', '/'],
    ['/%C3%BCber-uns', '/über-uns'],
    ['/a%2Fb', '/a/b'],
    ['/100%25', '/100%25'],
    ['/a%3Fb%23c', '/a%3Fb%23c'],
    ['/bad%ff', '/bad%ff'],
    ['/line%0d%0abreak', '/line%0D%0Abreak'],
    ['/=HYPERLINK("x")', '/=HYPERLINK("x")'],
  ])('of pages: %s is %s', async (path, page) => {
    expect(await namesOf({ path })).toMatchObject({ page });
  });

  it.each([
    ['', '(direkt)'],
    ['nonsense', '(direkt)'],
    ['about:blank', '(direkt)'],
    ['file:///home/ada/index.html', '(direkt)'],
    ['https://WWW.Example.com:8080/path?secret=1', 'www.example.com'],
    ['http://user:pass@example.com/', 'example.com'],
    ['https://example.com./', 'example.com'],
    ['android-app://com.example.reader/', 'com.example.reader'],
    ['https://[2001:db8::1]/x', '[2001:db8::1]'],
    ['https://www.site.test/elsewhere', undefined],
    ['http://site.test:3000/', undefined],
  ])('of referrers: %s is %s', async (referer, referrer) => {
    expect((await namesOf({ referer })).referrer).toBe(referrer);
  });

  it('a website without domains is no referrer of itself', async () => {
    fixture.domains.set(1, []);
    const referer = 'http://127.0.0.1:3000/a';
    expect((await namesOf({ host: '127.0.0.1:3000', referer })).referrer).toBeUndefined();
  });

  it('a browser is one that is known, whatever the header says', async () => {
    expect(await namesOf({ userAgent: 'Invented/1.0 (<b>)' })).toMatchObject({ browser: '(unbekannt)' });
  });

  it('of pages are at most 10,000 a day; further ones count together', async () => {
    const paths = Array.from({ length: 10_003 }, (_, index) => `/all/${index}`);
    await fixture.count([...paths, '/all/1'].map((path) => visit({ path })));
    const { pages, views } = await fixture.report();
    expect(views).toBe(10_004);
    expect(pages.slice(0, 2)).toEqual([
      { root_id: 1, name: '(andere)', views: 3, visitors: 1 },
      { root_id: 1, name: '/all/1', views: 2, visitors: 1 },
    ]);
    fixture.restart();
    await fixture.count(['/late', '/all/2'].map((path) => visit({ path })));
    expect((await fixture.report()).pages.slice(0, 3).map(({ name, views }) => [name, views])).toEqual([
      ['(andere)', 4],
      ['/all/1', 2],
      ['/all/2', 2],
    ]);
  });

  it('lists have the 50 largest', async () => {
    const visits = Array.from({ length: 60 }, (_, index) =>
      Array.from({ length: index + 1 }, () =>
        visit({ path: `/${index}`, referer: `https://${index}.example/` }),
      ),
    );
    await fixture.count(visits.flat());
    const { pages, dims } = await fixture.report();
    expect(pages).toHaveLength(50);
    expect(pages[0]).toMatchObject({ name: '/59', views: 60 });
    expect(pages.at(-1)).toMatchObject({ name: '/10', views: 11 });
    expect(dims.referrer).toHaveLength(50);
  });
});

describe('the address of a visitor', () => {
  it('is that which a local proxy names, and nobody else', async () => {
    const forwardedFor = '198.51.100.1';
    await fixture.count([
      visit({ peer: '127.0.0.1', forwardedFor }),
      visit({ peer: '127.0.0.1', forwardedFor: '203.0.113.9, 198.51.100.1' }),
      visit({ peer: forwardedFor }),
    ]);
    expect(await fixture.report()).toMatchObject({ views: 3, visitors: 1 });
    await fixture.count([visit({ peer: '203.0.113.50', forwardedFor }), visit({ peer: '203.0.113.50' })]);
    expect(await fixture.report()).toMatchObject({ views: 5, visitors: 2 });
  });

  it('is nowhere on disk, nor is the User-Agent header', async () => {
    await fixture.count([visit()]);
    fixture.databases.activity.writer.pragma('wal_checkpoint(TRUNCATE)');
    for (const name of readdirSync(fixture.dataDir)) {
      const text = readFileSync(join(fixture.dataDir, name), 'latin1');
      expect(text).not.toContain('203.0.113.7');
      expect(text).not.toContain(agents.firefox);
    }
  });
});

describe('days', () => {
  const before = new Date(2026, 2, 10, 23, 59, 59, 999).getTime();
  const after = new Date(2026, 2, 11).getTime();

  it('end at midnight in server time', async () => {
    await fixture.count([visit({ at: before }), visit({ at: after })]);
    expect((await fixture.report()).days).toEqual([
      { day: '2026-03-10', views: 1, visitors: 1 },
      { day: '2026-03-11', views: 1, visitors: 1 },
    ]);
  });

  it('have a salt each, which is on disk on that day only, as are the numbers of visitors', async () => {
    await fixture.count([visit({ at: before })]);
    const salt = readFileSync(fixture.saltFile, 'latin1').split(' ')[1] ?? '';
    expect(salt).toMatch(/^[\da-f]{64}\n$/);
    await fixture.counter.startDay(computeDay(after));
    expect(readFileSync(fixture.saltFile, 'latin1')).not.toContain(salt);
    const marks = fixture.databases.activity.reader.statement('SELECT day FROM statistics_seen').all([]);
    expect(marks).toEqual([]);
    forgetOldSalt(fixture.saltFile, computeDay(after));
    expect(existsSync(fixture.saltFile)).toBe(true);
    forgetOldSalt(fixture.saltFile, computeDay(after) + 1);
    expect(existsSync(fixture.saltFile)).toBe(false);
  });

  it('go on after a restart: a visitor counts once', async () => {
    await fixture.count([visit()]);
    fixture.restart();
    await fixture.count([visit()]);
    expect(await fixture.report()).toMatchObject({ views: 2, visitors: 1, dims: { os: [{ visitors: 1 }] } });
  });

  it('follow the clock when it is set: every view counts on the day that the clock shows', async () => {
    const inTenYears = new Date(2036, 2, 10, 12).getTime();
    const clocks = [noon, noon - 3_600_000, inTenYears, noon, before, after, before];
    for (const at of clocks) await fixture.count([visit({ at })]);
    const { days, views } = await fixture.report();
    expect(views).toBe(clocks.length);
    expect(days.map((entry) => [entry.day, entry.views])).toEqual([
      ['2026-03-10', 5],
      ['2026-03-11', 1],
      ['2036-03-10', 1],
    ]);
  });

  const ranges = [
    [0, 119],
    [3, 3],
    [5, 90],
    [17, 64],
    [118, 119],
    [60, 70],
  ] as const;
  it('make up every range exactly', async () => {
    const visits = Array.from({ length: 120 }, (_, index) => {
      const at = new Date(2026, 0, 1 + index, 12).getTime();
      return [visit({ at }), visit({ at, kind: 'download', path: 'a.pdf' })];
    });
    await fixture.count(visits.flat());
    const first = computeDay(new Date(2026, 0, 1).getTime());
    for (const [from, to] of ranges) {
      const range = { from: first + from, to: first + to };
      const { views, pages, downloads_total, dims } = await fixture.report(range);
      const sums = [views, pages[0]?.views, downloads_total, dims.browser[0]?.visitors];
      expect(sums).toEqual(sums.map(() => to - from + 1));
    }
    expect(await fixture.report({ from: first + 200, to: first + 300 })).toMatchObject({
      views: 0,
      days: [],
      pages: [],
      has_data: true,
      first_day: textOfDay(first),
      last_day: textOfDay(first + 119),
    });
  });
});

describe('faults', () => {
  it('visits that cannot be written are written later, once', async () => {
    const { writer } = fixture.databases.activity;
    await fixture.count([visit()]);
    writer.execute(`CREATE TRIGGER full BEFORE INSERT ON statistics WHEN NEW.kind = 7
      BEGIN SELECT RAISE(ABORT, 'full'); END`);
    const download = visit({ kind: 'download', path: 'a.pdf' });
    await expect(fixture.count([visit(), download])).rejects.toThrow('full');
    expect(await fixture.report()).toMatchObject({ views: 1, downloads_total: 0 });
    writer.execute('DROP TRIGGER full');
    await fixture.count([visit()]);
    expect(await fixture.report()).toMatchObject({ views: 3, visitors: 1, downloads_total: 1 });
  });

  it('a website is forgotten with all names, and counts anew', async () => {
    const gone = visit({ path: '/a', referer: 'https://gone.example/' });
    await fixture.count([gone, visit({ siteId: 2, path: '/b' })]);
    await fixture.counter.forget(1);
    expect(await fixture.report()).toMatchObject({ views: 0, has_data: false });
    expect(await fixture.report({ sites: [2] })).toMatchObject({ views: 1, pages: [{ name: '/b' }] });
    const rows = fixture.databases.activity.reader.statement('SELECT name FROM statistics_names').all([]);
    const names = rows.map(({ name }) => name);
    expect(names).not.toContain('gone.example');
    expect(names).toContain('/b');
    await fixture.count([visit({ path: '/a' })]);
    expect(await fixture.report()).toMatchObject({ views: 1, visitors: 1 });
  });
});

it('visits reach the thread as they were', () => {
  const visits = [
    visit(),
    visit({ kind: 'download', path: 'a\tb', referer: 'x', forwardedFor: '1, 2' }),
    visit(),
  ];
  const text = visits.map((each) => visitText(each, each.kind, each.siteId)).join('\n');
  expect(visitsIn(text)).toEqual(visits);
  expect(visitsIn('')).toEqual([]);
});
