import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet } from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/** What several threads of the front must do as one does. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer({ args: ['-front', 'uws', '-front-threads', '4'] });
  site = await createSite(server);
  await callOk(server, 'PUT', `/pages/${site}`, { html: 'start' });
});
afterAll(() => server.stop());

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** Sends a request over a connection of an agent, or over a new one, which goes to the next thread. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  agent: Agent | false = false,
  method = 'GET',
) {
  return new Promise<Received>((resolve, reject) => {
    const sent = request({ port: server.port, path, method, headers, agent }, (answer) => {
      buffer(answer).then(
        (bytes) => resolve({ status: answer.statusCode, headers: answer.headers, bytes }),
        reject,
      );
    });
    sent.on('error', reject).end();
  });
}

async function hits(): Promise<number> {
  return Number((await callOk(server, 'GET', '/cache')).hits);
}

it('statistics know of every view that was answered before they are asked for', async () => {
  await createPage(server, site, { slug: 'viewed', published: true, html: 'viewed' });
  const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' };
  for (let views = 1; views <= 24; views++) {
    await ask('/viewed', browser);
    const report = await callOk(server, 'GET', `/stats/paths?root_id=${site}&path=/viewed`);
    expect(report['views']).toBe(views);
  }
});

describe('a page', () => {
  // The first test: hits of others are reported up to a second later.
  it('is a MISS after the cache was cleared, and its hits are counted', async () => {
    await callOk(server, 'DELETE', '/cache');
    expect((await ask('/')).headers['x-cache']).toBe('MISS');
    const before = await hits();
    for (let count = 0; count < 40; count++) expect((await ask('/')).headers['x-cache']).toBe('HIT');
    // Threads report once in a second.
    while ((await hits()) < before + 40) await nextTurn();
    expect(await hits()).toBe(before + 40);
  });

  it('is never shown as it was before a change that has been answered', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((number) => createPage(server, site, { slug: `p${number}`, published: true, html: '0' })),
    );
    /** For each page the last state that has been answered. */
    const answered = pages.map(() => 0);
    let isWriting = true;
    let seen = 0;
    let fromCache = 0;
    const reader = async (agent: Agent): Promise<void> => {
      while (isWriting) {
        for (const index of pages.keys()) {
          const atLeast = answered[index] ?? 0;
          const { bytes, headers, status } = await ask(`/p${index + 1}`, {}, agent);
          expect(status).toBe(200);
          const state = Number(/<body[^>]*>\s*(\d+)/.exec(bytes.toString())?.[1]);
          expect(state).toBeGreaterThanOrEqual(atLeast);
          seen += 1;
          if (headers['x-cache'] === 'HIT') fromCache += 1;
        }
      }
    };
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const readers = Promise.all(agents.map(reader));
    const stop = () => {
      isWriting = false;
    };
    readers.catch(stop);
    for (let state = 1; isWriting && state <= 60; state++) {
      const index = state % pages.length;
      await callOk(server, 'PUT', `/pages/${pages[index]}`, { html: String(state) });
      answered[index] = state;
      // Until the readers have seen each page from a cache.
      for (const before = fromCache; isWriting && fromCache < before + 60; ) await nextTurn();
    }
    stop();
    await readers;
    for (const agent of agents) agent.destroy();
    expect(fromCache).toBeGreaterThan(seen / 3);
  });

  it('has new headers as soon as the settings have changed', async () => {
    for (const framing of ['deny', 'sameorigin', 'deny', 'sameorigin']) {
      await callOk(server, 'PUT', '/security', { framing });
      for (let count = 0; count < 12; count++)
        expect((await ask('/')).headers['x-frame-options']).toBe(framing.toUpperCase());
    }
  });

  it('has each form, 304 and HEAD, from every thread', async () => {
    await callOk(server, 'PUT', `/pages/${site}`, { html: 'Hello '.repeat(200) });
    for (const accepted of ['br', 'gzip', 'identity']) {
      const first = await ask('/', { 'accept-encoding': accepted });
      const etag = String(first.headers['etag']);
      for (let count = 0; count < 12; count++) {
        const again = await ask('/', { 'accept-encoding': accepted });
        expect([again.status, again.headers['etag'], again.bytes.equals(first.bytes)]).toEqual([
          200,
          etag,
          true,
        ]);
        const head = await ask('/', { 'accept-encoding': accepted }, false, 'HEAD');
        expect([head.status, head.headers['content-length']]).toEqual([200, String(first.bytes.length)]);
        const known = await ask('/', { 'accept-encoding': accepted, 'if-none-match': etag });
        expect([known.status, known.bytes.length]).toEqual([304, 0]);
      }
    }
  });

  it.each([
    ['another host', { host: 'evil.test' }],
    ['a cookie for another website', { cookie: `ic_site=${99}` }],
    ['a proxy', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'proxy.test' }],
    ['a range', { range: 'bytes=0-3' }],
    ['a condition', { 'if-match': '"x"' }],
  ] satisfies [string, Record<string, string>][])(
    'is the same as without threads for a request with %s',
    async (_name, headers: Record<string, string>) => {
      await callOk(server, 'PUT', `/pages/${site}`, { html: '{{ site.url }}' });
      for (let count = 0; count < 6; count++) await ask('/');
      for (let count = 0; count < 6; count++) {
        const { status, bytes } = await ask('/', headers);
        expect(status).toBe(200);
        const host = headers['host'] ?? `localhost:${server.port}`;
        const origin = 'x-forwarded-host' in headers ? 'https://proxy.test' : `http://${host}`;
        expect(bytes.toString()).toContain(`>\n${origin}\n<`);
      }
    },
  );
});

describe('files', () => {
  it('come from every thread with their own headers', async () => {
    const asset = await createAsset(server, { content: 'a { color: red }' });
    for (let count = 0; count < 12; count++) {
      const { status, headers, bytes } = await ask(`/_assets/css/${asset}.css`);
      expect([status, headers['content-type'], bytes.toString()]).toEqual([
        200,
        'text/css; charset=utf-8',
        'a{color:red}\n',
      ]);
    }
  });

  it('that become private are not there for anybody', async () => {
    const form = new FormData();
    form.append('file', new Blob(['some text']), 'a.txt');
    const headers = { authorization: `Bearer ${masterToken}` };
    const uploaded = await fetch(`${server.url}/api/v1/files`, { method: 'POST', headers, body: form });
    const { id, url }: { id: number; url: string } = JSON.parse(await uploaded.text());
    for (let count = 0; count < 12; count++) expect((await ask(url)).bytes.toString()).toBe('some text');
    expect((await ask(url, { range: 'bytes=5-8' })).bytes.toString()).toBe('text');
    await callOk(server, 'PUT', `/files/${id}`, { private: true });
    for (let count = 0; count < 12; count++) expect((await ask(url)).status).toBe(404);
  });
});

describe('the main thread gets', () => {
  it('large bodies, whole', async () => {
    const bytes = randomBytes(24 * 2 ** 20);
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'large.bin');
    const headers = { authorization: `Bearer ${masterToken}` };
    const uploaded = await fetch(`${server.url}/api/v1/files`, { method: 'POST', headers, body: form });
    const { url }: { url: string } = JSON.parse(await uploaded.text());
    const received = await ask(url);
    const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(digest(received.bytes)).toBe(digest(bytes));
  });

  it('requests for long answers, whose clients may read late or go away', async () => {
    for (let number = 0; number < 6; number++)
      await createSnippet(server, { content: String(number).repeat(2 ** 20) });
    const headers = { authorization: `Bearer ${masterToken}` };
    const whole = JSON.stringify((await call(server, 'GET', '/snippets')).body);
    const late = await new Promise<Buffer>((resolve, reject) => {
      request({ port: server.port, path: '/api/v1/snippets', headers, agent: false }, (answer) => {
        answer.once('readable', async () => {
          expect((await ask('/')).status).toBe(200);
          resolve(buffer(answer));
        });
      })
        .on('error', reject)
        .end();
    });
    expect(late.toString() === whole).toBe(true);
    for (let round = 0; round < 8; round++) {
      await new Promise<void>((resolve) => {
        request({ port: server.port, path: '/api/v1/snippets', headers, agent: false }, (answer) => {
          answer.once('data', () => {
            answer.destroy();
            resolve();
          });
        }).end();
      });
    }
    expect((await call(server, 'GET', '/cache')).status).toBe(200);
    expect(server.log()).not.toContain('"level":50');
  });
});

describe('in remote mode', () => {
  let there: TestServer;
  let cookie: string;
  beforeAll(async () => {
    there = await startServer();
    const session = await setUp(server);
    const body = { name: 'Live', url: there.url, token: masterToken };
    const { id } = asRecord((await call(server, 'POST', '/connections', withSession(session, body))).body);
    cookie = `ic_session=${session}; ic_remote=${id}`;
  });
  afterAll(() => there.stop());

  it('every thread leaves media, assets and the API to the other instance, and pages and other people here', async () => {
    const [here, elsewhere] = [
      { server, text: 'from here' },
      { server: there, text: 'from there' },
    ];
    const urls: string[] = [];
    for (const { server: one, text } of [here, elsewhere]) {
      const { url } = await uploadOne(one, 'both.txt', text);
      const asset = await createAsset(one, { content: `/* ${text} */ a { content: "${text}" }` });
      urls.push(String(url), `/_assets/css/${asset}.css`);
    }
    const [media = '', css = '', ...others] = urls;
    expect(media).toBe(others[0]);
    for (const path of [media, css]) for (let count = 0; count < 12; count++) await ask(path);
    for (let count = 0; count < 12; count++) {
      const remote = await ask(media, { cookie });
      expect([remote.status, remote.bytes.toString()]).toEqual([200, 'from there']);
      expect(remote.headers['cache-control']).toBe('no-store');
      expect((await ask(others[1] ?? '', { cookie })).bytes.toString()).toContain('from there');
      expect((await ask(media)).bytes.toString()).toBe('from here');
      expect((await ask(css)).bytes.toString()).toContain('from here');
      expect((await ask('/', { cookie })).bytes.toString()).toContain((await ask('/')).bytes.toString());
      const snippets = await ask('/api/v1/snippets', { cookie });
      expect([snippets.status, snippets.bytes.toString()]).toEqual([200, '[]']);
    }
    // Without the session the cookie says nothing.
    const alone = { cookie: cookie.replace(/ic_session=[^;]*; /, '') };
    for (let count = 0; count < 12; count++)
      expect((await ask(media, alone)).bytes.toString()).toBe('from here');
  });
});
