import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList } from '../support/api.ts';
import { createSnippet } from '../support/content.ts';
import { check } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/** POST /demo: the demo website, installed by an administrator into an instance without content. */

let server: TestServer;
let session: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
});
afterAll(() => server.stop());

it('is for admin sessions only', async () => {
  await check(server, {
    name: 'nobody',
    method: 'POST',
    path: '/demo',
    token: null,
    status: 401,
    code: 'auth.required',
  });
  await check(server, {
    name: 'a token',
    method: 'POST',
    path: '/demo',
    status: 403,
    code: 'auth.sessionRequired',
  });
  expect(await callList(server, '/pages?roots=1')).toEqual([]);
});

it('is refused while there is content, and changes nothing', async () => {
  const snippet = await createSnippet(server, { name: 'own' });
  expect(await call(server, 'POST', '/demo', withSession(session))).toMatchObject({
    status: 409,
    body: { code: 'demo.notEmpty', params: {} },
  });
  expect(await callList(server, '/pages?roots=1')).toEqual([]);
  expect(await callList(server, '/snippets')).toHaveLength(1);
  await call(server, 'DELETE', `/snippets/${snippet}`);
});

it('installs the website, once', async () => {
  const answer = await call(server, 'POST', '/demo', withSession(session));
  const [site] = await callList(server, '/pages?roots=1');
  expect(answer).toMatchObject({ status: 201, body: { root_id: site?.['id'] } });
  expect((await fetch(server.url)).status).toBe(200);
  expect(await callList(server, '/data/artikel')).toHaveLength(4);
  const [german] = await callList(server, '/data/objekte?slug=gate-ell');
  const [version] = await callList(server, `/collections/objekte/items/${german?.['id']}/translations`);
  expect([german?.['_url'], version?.['url']]).toEqual(['/de/sammlung/gate-ell', '/collection/gate-ell']);
  for (const { id } of await callList(server, '/pages'))
    expect(await callList(server, `/revisions?kind=page&id=${id}`)).toEqual([]);
  expect((await call(server, 'POST', '/demo', withSession(session))).status).toBe(409);
  expect((await callList(server, '/pages?roots=1')).length).toBe(1);
});

describe('the tides, which come from a service', () => {
  const date = (value: string) => ({ date: value });

  it('are told for the days that are asked for, and each follows the one before', async () => {
    const days = await callList(server, '/data/tides?from=2026-06-29&days=3');
    expect(days).toMatchObject([date('2026-06-29'), date('2026-06-30'), date('2026-07-01')]);
    const tides = days.flatMap((day) => {
      const list = day['tides'];
      return Array.isArray(list) ? list.map((tide) => ({ ...asRecord(tide), day: day['date'] })) : [];
    });
    const times = tides.map((tide) => Date.parse(`${tide.day}T${asRecord(tide)['time']}Z`));
    const hours = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 3_600_000);
    expect(hours.length).toBeGreaterThanOrEqual(10);
    for (const between of hours) expect(between).toBeCloseTo(6.21, 1);
    for (const [index, tide] of tides.entries()) {
      const { kind, height } = asRecord(tide);
      expect(kind).toBe((asRecord(tides[0])['kind'] === 'high') === (index % 2 === 0) ? 'high' : 'low');
      expect([Number(height) > 1.9, Number(height) < 0.7]).toEqual([kind === 'high', kind === 'low']);
    }
  });

  it.each(['', '?from=2026-02-30&days=3x', '?from=today&days=3', '?from=2026-06-29&days=8'])(
    'are not told for %j',
    async (query) => {
      expect((await fetch(`${server.url}/api/v1/flows/tides${query}`)).status).toBe(400);
      expect(await call(server, 'GET', `/data/tides${query}`)).toMatchObject({ status: 502 });
    },
  );

  it.each([
    ['/visit/tides', 'Today, ', 'High water', '.'],
    ['/de/besuch/gezeiten', 'Heute, ', 'Hochwasser', ','],
  ])('stand on %s, beginning with today', async (path, today, high, point) => {
    const html = await (await fetch(server.url + path)).text();
    const [table = ''] = /<table>[\s\S]*<\/table>/.exec(html) ?? [];
    const days = table.split('<tbody').slice(1);
    expect(days.map((day) => day.startsWith(' class="is-today"'))).toEqual([true, false, false]);
    expect(days.map((day) => day.includes(today))).toEqual([true, false, false]);
    for (const day of days) {
      expect(day).toContain(high);
      const heights = day.match(/\d[.,]\d\d m</g) ?? [];
      expect(heights.length).toBeGreaterThanOrEqual(3);
      for (const height of heights) expect(height[1]).toBe(point);
    }
  });
});
