import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { administrator, sessionIn, setUp, withSession } from '../support/session.ts';
import { bodyOf, visit } from './public-client.ts';

/** Who sees a draft: while a preview link is valid, without an admin, and with the admin on one host only. */

type Server = Pick<TestServer, 'url' | 'port'>;

/** A website with the draft `/draft`; resolves with the ID of the draft. */
async function addDraft(server: Server): Promise<number> {
  const home = await createSite(server, { domains: 'site.example' });
  return createPage(server, home, { slug: 'draft', html: 'not yet' });
}

async function createLink(server: Server, page: number, body: object = {}): Promise<string> {
  const { url } = await callOk(server, 'POST', `/pages/${page}/preview-links`, body);
  const { pathname, search } = new URL(String(url));
  return pathname + search;
}

/** Status and body of a page of the website. */
async function look(
  server: Server,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  host = 'site.example',
): Promise<readonly [number, string]> {
  const page = await visit(server, target, { host, headers });
  return [page.status, page.status === 200 ? bodyOf(page) : ''];
}

const shown = [200, 'not yet'] as const;
const hidden = [404, ''] as const;

describe('a preview link', () => {
  const start = Date.UTC(2030, 0, 1);
  let nowMs = start;
  let server: InProcessServer;
  let page: number;

  beforeAll(async () => {
    server = await startInProcess({ clock: () => nowMs });
    page = await addDraft(server);
  });
  afterAll(() => server.stop());

  const at = (seconds: number): void => {
    nowMs = start + seconds * 1000;
  };
  /** How many links are listed now, of those that end after `seconds`. */
  const listed = async (seconds: number) =>
    (await callList(server, `/pages/${page}/preview-links`)).filter(
      (link) => Number(link['expires_at']) === start / 1000 + seconds,
    ).length;

  it.each([
    ['the shortest time', { ttl: 1 }, 1],
    ['an hour', { ttl: 3600 }, 3600],
    ['the default of a week', {}, 604_800],
    ['the longest time', { ttl: 7_776_000 }, 7_776_000],
  ])('of %s is valid until its end, and not later', async (_name, body, seconds) => {
    at(0);
    const link = await createLink(server, page, body);
    at(seconds - 1);
    expect([await look(server, link), await listed(seconds)]).toEqual([shown, 1]);
    for (const late of [seconds, seconds + 1]) {
      at(late);
      expect([await look(server, link), await listed(seconds)]).toEqual([hidden, 0]);
    }
  });

  it('that is over stays so although it was just shown, and a new one is valid beside it', async () => {
    at(0);
    const old = await createLink(server, page, { ttl: 10 });
    expect(await look(server, old)).toEqual(shown);
    at(10);
    const fresh = await createLink(server, page, { ttl: 10 });
    expect(await look(server, old)).toEqual(hidden);
    expect(await look(server, fresh)).toEqual(shown);
  });
});

describe('headless', () => {
  let server: TestServer;
  let page: number;
  let session: string;

  beforeAll(async () => {
    server = await startServer();
    page = await addDraft(server);
    session = await setUp(server);
    expect(await look(server, '/draft?preview=1', { Cookie: `ic_session=${session}` })).toEqual(shown);
    await callOk(server, 'PUT', '/system', { headless: true });
  });
  afterAll(() => server.stop());

  it('hides drafts from a session that was valid before', async () => {
    const Cookie = `ic_session=${session}`;
    expect(await look(server, '/draft?preview=1', { Cookie })).toEqual(hidden);
    const body = { html: 'x' };
    const answer = await call(server, 'POST', `/pages/${page}/preview`, withSession(session, body));
    expect(answer.status).toBe(401);
  });

  it('ignores ?_site= of a session', async () => {
    const other = await createSite(server);
    const headers = { Cookie: `ic_session=${session}` };
    const answer = await visit(server, `/?_site=${other}`, { host: 'nowhere.example', headers });
    expect([answer.status, answer.header('set-cookie')]).toEqual([200, undefined]);
  });

  it('leaves previews of tokens as they are', async () => {
    const response = await fetch(`${server.url}/api/v1/pages/${page}/preview`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ html: 'unsaved' }),
    });
    expect([response.status, bodyOf({ text: await response.text() })]).toEqual([200, 'unsaved']);
  });

  it('leaves preview links as they are', async () => {
    expect(await look(server, await createLink(server, page))).toEqual(shown);
  });

  it('knows no /cms-admin, also below a catch-all home page', async () => {
    const [home] = await callList(server, '/pages?roots=1');
    await callOk(server, 'PUT', `/pages/${home?.['id']}`, { catch_all: true, html: 'all of it' });
    expect(await look(server, '/anything')).toEqual([200, 'all of it']);
    for (const path of ['/cms-admin', '/cms-admin/', '/cms-admin/pen/x', '/cms-admin?preview=1'])
      expect([path, ...(await look(server, path))]).toEqual([path, ...hidden]);
  });
});

describe('-admin-host', () => {
  let server: TestServer;
  let page: number;
  let session: string;

  beforeAll(async () => {
    server = await startServer({ args: ['-admin-host', 'admin.example'] });
    page = await addDraft(server);
    session = sessionIn(
      await call(server, 'POST', '/auth/setup', { token: null, headers: onAdminHost, body: administrator }),
    );
  });
  afterAll(() => server.stop());

  const onAdminHost = { 'X-Forwarded-Host': 'admin.example' };

  it('shows drafts to a session on that host only', async () => {
    const headers = { Cookie: `ic_session=${session}` };
    const target = '/draft?preview=1';
    expect(await look(server, target, headers, 'admin.example')).toEqual(shown);
    expect(await look(server, target, headers, 'admin.example:8443')).toEqual(shown);
    for (const host of [
      'site.example',
      'www.admin.example',
      'admin.example.evil',
      `127.0.0.1:${server.port}`,
    ])
      expect([host, ...(await look(server, target, headers, host))]).toEqual([host, ...hidden]);
    expect(await look(server, target, { ...headers, ...onAdminHost })).toEqual(shown);
  });

  it('lets a session on that host only preview unsaved content', async () => {
    const statusFor = async (headers: Readonly<Record<string, string>>) =>
      (
        await fetch(`${server.url}/api/v1/pages/${page}/preview`, {
          method: 'POST',
          headers: {
            ...headers,
            Cookie: `ic_session=${session}`,
            'X-IC-CSRF': '1',
            'Content-Type': 'application/json',
          },
          body: '{}',
        })
      ).status;
    expect(await statusFor(onAdminHost)).toBe(200);
    expect(await statusFor({})).toBe(401);
  });

  it('shows preview links on every host', async () => {
    const link = await createLink(server, page);
    for (const host of ['site.example', 'admin.example', 'other.example'])
      expect([host, ...(await look(server, link, {}, host))]).toEqual([host, ...shown]);
  });
});
