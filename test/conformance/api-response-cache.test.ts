import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiCall, addToken, asRecord, call, callOk } from '../support/api.ts';
import { createCollection, createItem } from '../support/content.ts';
import { sendInTurn, sendRaw } from '../support/raw.ts';
import { hasFrontThreads, masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/**
 * A repeated GET of a collection is answered from memory, without the rest of the API. Whoever asks must not be able
 * to tell: each test asks twice or more, so that the second answer may come from there.
 */
let server: TestServer;
let session: string;
let item: number;

beforeAll(async () => {
  server = await startServer({ args: ['-rate-limit', '6'] });
  session = await setUp(server);
  await createCollection(server, {
    slug: 'open',
    public_api: true,
    fields: [{ name: 'title', type: 'text' }],
  });
  item = await createItem(server, 'open', { title: 'first' });
});
afterAll(() => server.stop());

let clients = 0;

/** A call from an address that nobody else has, so that no budget is spent. */
function fresh(options: ApiCall = { token: null }): ApiCall {
  clients++;
  return { ...options, headers: { ...options.headers, 'X-Forwarded-For': `203.0.113.${clients}` } };
}

async function titleOf(options: ApiCall): Promise<unknown> {
  const { body, status } = await call(server, 'GET', `/collections/open/items/${item}`, fresh(options));
  return status === 200 ? asRecord(asRecord(body)['data'])['title'] : status;
}

const anyone: ApiCall = { token: null };
const known: ApiCall = {};

async function setEntry(body: object): Promise<void> {
  await callOk(server, 'PUT', `/collections/open/items/${item}`, body);
}

describe('a repeated GET of a collection', () => {
  it('shows every change at once', async () => {
    for (const title of ['a', 'b', 'c']) {
      await setEntry({ data: { title } });
      expect(await Promise.all([titleOf(anyone), titleOf(known)])).toEqual([title, title]);
      expect(await Promise.all([titleOf(anyone), titleOf(known)])).toEqual([title, title]);
    }
  });

  it('is the same answer, headers included', async () => {
    const path = '/collections/open/items?_limit=1';
    const [first, second, third] = [
      await call(server, 'GET', path, fresh()),
      await call(server, 'GET', path, fresh()),
      await call(server, 'GET', path, fresh()),
    ];
    const without = (answer: typeof first) =>
      Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date' && name !== 'connection'));
    expect(second.body).toEqual(first.body);
    expect(without(second)).toEqual(without(first));
    expect(without(third)).toEqual(without(first));
    expect(without(third)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-ic-build': expect.any(String),
      'x-total-count': '1',
    });
  });

  it('differs for callers with and without a credential', async () => {
    await setEntry({ data: { title: 'draft' }, published: false });
    for (let round = 0; round < 3; round++) {
      expect(await titleOf(known)).toBe('draft');
      expect(await titleOf(anyone)).toBe(404);
      expect(await titleOf(withSession(session))).toBe('draft');
      expect(await titleOf({ token: 'ic_unknown' })).toBe(404);
    }
    await setEntry({ published: true });
  });

  it('ends for everybody else when the collection is not public any more', async () => {
    const collection = (isPublic: boolean) =>
      callOk(server, 'PUT', '/collections/open', { public_api: isPublic });
    expect([await titleOf(anyone), await titleOf(anyone)]).toEqual(['draft', 'draft']);
    await collection(false);
    expect([await titleOf(anyone), await titleOf(known), await titleOf(known)]).toEqual([
      404,
      'draft',
      'draft',
    ]);
    await collection(true);
    expect([await titleOf(anyone), await titleOf(anyone)]).toEqual(['draft', 'draft']);
  });

  it('needs a token that is still there', async () => {
    await callOk(server, 'PUT', '/collections/open', { public_api: false });
    const created = asRecord(
      (await call(server, 'POST', '/tokens', withSession(session, { name: 'short' }))).body,
    );
    const token = String(created['secret']);
    expect([await titleOf({ token }), await titleOf({ token })]).toEqual(['draft', 'draft']);
    const id = asRecord(created['token'])['id'];
    await call(server, 'DELETE', `/tokens/${id}`, withSession(session));
    expect([await titleOf({ token }), await titleOf({ token })]).toEqual([404, 404]);
    await callOk(server, 'PUT', '/collections/open', { public_api: true });
  });

  it('notes the use of a token', async () => {
    const token = await addToken(server, 'noted', false);
    await titleOf({ token });
    await titleOf({ token });
    const { body } = await call(server, 'GET', '/tokens', withSession(session));
    const list = Array.isArray(body) ? body.map(asRecord) : [];
    expect(list.find(({ name }) => name === 'noted')?.['last_used_at']).toEqual(expect.any(Number));
  });

  it('is 304 for a client that has it', async () => {
    const path = `/collections/open/items/${item}`;
    const tag = (await call(server, 'GET', path, fresh())).headers.get('etag') ?? '';
    for (let round = 0; round < 2; round++) {
      const { headers = {} } = fresh({ token: null, headers: { 'If-None-Match': tag } });
      const answer = await fetch(`${server.url}/api/v1${path}`, { headers });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', tag]);
    }
  });

  it('counts against the budget of the client', async () => {
    const client: ApiCall = { token: null, headers: { 'X-Forwarded-For': '198.51.100.1' } };
    const statuses: number[] = [];
    for (let n = 0; n < 14; n++)
      statuses.push((await call(server, 'GET', `/collections/open/items/${item}`, client)).status);
    expect(statuses.slice(0, 9)).toEqual(Array(9).fill(200));
    expect(statuses).toContain(429);
  });

  it('is not given for a token in the address of somebody else', async () => {
    await setEntry({ published: false });
    const path = `/collections/open/items/${item}?token=`;
    const status = async (token: string) =>
      (await call(server, 'GET', path + token, fresh({ token: null }))).status;
    expect([await status(masterToken), await status(masterToken), await status('x')]).toEqual([
      200, 200, 404,
    ]);
    await setEntry({ published: true });
  });
});

describe('on one connection', () => {
  const head = (more = '') => `GET /api/v1/collections/open/items/${item} HTTP/1.1\r\nHost: a\r\n${more}`;

  // Several threads forward what they do not share, and the library closes a connection with two unanswered requests.
  it.skipIf(hasFrontThreads)('requests in one packet are all answered', async () => {
    await titleOf(anyone);
    const one = `${head('X-Forwarded-For: 198.51.100.2\r\n')}\r\n`;
    const text = await sendRaw(
      server.port,
      `${one.repeat(3)}${head('Connection: close\r\n')}\r\n`,
      undefined,
    );
    expect(text.match(/HTTP\/1\.1 200/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('a request with a body leaves the connection usable', async () => {
    const withBody = `${head('Content-Length: 5\r\nX-Forwarded-For: 198.51.100.3\r\n')}\r\nhello`;
    const plain = `${head('X-Forwarded-For: 198.51.100.3\r\n')}\r\n`;
    const answers = await sendInTurn(server.port, [plain, withBody, plain]);
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'));
  });

  it('the last of several X-Forwarded-For headers is the client', async () => {
    const spend = `X-Forwarded-For: 198.51.100.9\r\nX-Forwarded-For: 198.51.100.4\r\n`;
    const answers = await sendInTurn(server.port, Array(14).fill(`${head(spend)}\r\n`));
    expect(answers.some((answer) => answer.startsWith('HTTP/1.1 429'))).toBe(true);
    const other = await sendInTurn(server.port, [`${head('X-Forwarded-For: 198.51.100.9\r\n')}\r\n`]);
    expect(other[0]).toMatch(/^HTTP\/1\.1 200/);
  });
});
