import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addToken, asRecord, callList, callOk } from '../support/api.ts';
import { freshName } from '../support/content.ts';
import { sendRaw } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** Data, Automation and Operations, "Workflows": HTTP inputs. */

type Fields = Readonly<Record<string, unknown>>;

let server: TestServer;
let tokens: { read: string; write: string };
let session: string;

beforeAll(async () => {
  server = await startServer();
  tokens = { read: await addToken(server, 'reader', false), write: await addToken(server, 'writer', true) };
  session = await setUp(server);
});
afterAll(() => server.stop());

let path: string;
beforeEach(() => {
  path = freshName('input');
});

const node = (id: string, type: string, config: Fields = {}) => ({ id, type, config });

/** A workflow with an input, an error if `fails`, and a response unless it is null. Resolves with its ID. */
async function createInput(
  input: Fields,
  response: Fields | null = {},
  { fails = false, enabled = true, code = '' } = {},
): Promise<number> {
  const nodes = [
    node('in', 'http-in', { path, public: true, ...input }),
    ...(fails ? [node('bad', 'delay', { seconds: '{{ msg.nothing }}' })] : []),
    ...(code === '' ? [] : [node('code', 'function', { code })]),
    ...(response === null ? [] : [node('out', 'http-response', response)]),
  ];
  const wires = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]?.id, to: id }));
  const body = { name: freshName('Flow'), enabled, flow: { nodes, wires } };
  return Number((await callOk(server, 'POST', '/workflows', body))['id']);
}

async function send(below: string, init: RequestInit = {}) {
  const response = await fetch(`${server.url}/api/v1/flows/${below}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** What the start node of the newest run has sent on. */
async function messageOf(id: number): Promise<Record<string, unknown>> {
  const [run] = await callList(server, `/workflows/${id}/runs`);
  const [first] = Array.isArray(run?.['trace']) ? run['trace'] : [];
  return asRecord(JSON.parse(String(asRecord(first)['in'])));
}

describe('the message', () => {
  it.each([
    ['application/json', '{"a": [1]}', { a: [1] }],
    ['application/json; charset=utf-8', '"text"', 'text'],
    [
      'application/x-www-form-urlencoded',
      'a=1&b=x+y&b=%C3%A4&__proto__=z',
      JSON.parse('{"a":"1","b":["x y","ä"],"__proto__":"z"}'),
    ],
    ['text/plain', 'plain', 'plain'],
    ['application/octet-stream', 'bytes', 'bytes'],
  ])('has the body of %s as payload', async (type, body, expected) => {
    const id = await createInput({ method: 'POST' });
    expect(
      (await send(`${path}?q=1`, { method: 'POST', body, headers: { 'Content-Type': type } })).status,
    ).toBe(200);
    const { payload, req } = await messageOf(id);
    expect(payload).toEqual(expected);
    expect(asRecord(req)['body']).toEqual(expected);
    expect(asRecord(req)['query']).toEqual({ q: '1' });
  });

  it('has the query as payload if there is no body, and tells of the request without its credentials', async () => {
    const id = await createInput({ path: `${path}/{id}/{rest...}` });
    const headers = { Cookie: `ic_session=${session}`, 'X-Own': 'yes' };
    await send(`${path}/7/a/b%20c?x=1&token=${tokens.read}`, { headers });
    const { payload, req } = await messageOf(id);
    expect(payload).toEqual({ x: '1' });
    expect(req).toEqual({
      method: 'GET',
      path: `/${path}/7/a/b c`,
      params: { id: '7', rest: 'a/b c' },
      query: { x: '1' },
      headers: expect.objectContaining({ 'x-own': 'yes' }),
      body: null,
    });
    expect(asRecord(asRecord(req)['headers'])).not.toHaveProperty('cookie');
    await send(`${path}/7/a`, { headers: bearer(tokens.read) });
    expect(asRecord(asRecord((await messageOf(id))['req'])['headers'])).not.toHaveProperty('authorization');
  });

  it.each([
    ['application/json', '{', 400],
    ['application/json', '{"a":1,"a":2}', 400],
    ['application/json', `${'['.repeat(200)}`, 400],
    ['text/plain', 'x'.repeat(10 * 2 ** 20 + 1), 413],
    ['application/x-www-form-urlencoded', Array.from({ length: 50_001 }, (_, n) => `${n}=`).join('&'), 400],
  ])('is not made of %s that is not valid or too much, and nothing runs', async (type, body, status) => {
    const id = await createInput({ method: 'POST' });
    const answer = await send(path, { method: 'POST', body, headers: { 'Content-Type': type } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
    expect(await callList(server, `/workflows/${id}/runs`)).toEqual([]);
  });

  it.each([
    ['lines of text', 'text/plain', `${'x'.repeat(100)}\n`.repeat(103_000)],
    ['numbers', 'application/json', JSON.stringify(Array.from({ length: 900_000 }, (_, n) => n + 1e9))],
  ])('may have a body of almost 10 MB: %s', async (_what, type, body) => {
    await createInput({ method: 'POST' });
    const answer = await send(path, { method: 'POST', body, headers: { 'Content-Type': type } });
    expect(answer.status).toBe(200);
    expect(answer.text === body).toBe(true);
  });

  it('may have a body of 6 MB that code changes', async () => {
    await createInput(
      { method: 'POST' },
      {},
      { code: 'msg.payload = msg.payload.slice(3) + msg.req.body.length; return msg' },
    );
    const body = `"\n${'x'.repeat(6 * 2 ** 20)}`;
    const answer = await send(path, { method: 'POST', body, headers: { 'Content-Type': 'text/plain' } });
    expect(answer.text.slice(-20)).toBe(`${'x'.repeat(13)}${body.length}`);
    expect(answer.text).toHaveLength(body.length - 3 + 7);
  });

  it('is not made of a body with a content encoding', async () => {
    await createInput({ method: 'POST' });
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' };
    expect((await send(path, { method: 'POST', body: 'x', headers })).status).toBe(415);
  });
});

describe('the answer', () => {
  it.each([
    ['{"a":1}', { status: 201 }, 201, 'application/json; charset=utf-8', '{"a":1}'],
    ['"text"', {}, 200, 'text/plain; charset=utf-8', 'text'],
    ['5', {}, 200, 'application/json; charset=utf-8', '5'],
    ['null', {}, 200, null, ''],
    ['{"a":1}', { status: 204 }, 204, null, ''],
  ])('to %s with %j', async (body, config, status, type, text) => {
    await createInput({ method: 'POST' }, config);
    const answer = await send(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([status, type, text]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('has the headers of the node; placeholders make no further ones', async () => {
    const headers = [
      { name: 'Content-Type', value: 'text/csv' },
      { name: 'X-Name', value: 'n={{ msg.payload.name }}' },
      { name: 'Cache-Control', value: 'max-age=60' },
    ];
    await createInput({}, { headers });
    const answer = await send(`${path}?name=${encodeURIComponent('a\r\nSet-Cookie: x=1')}`);
    expect(answer.headers.get('x-name')).toBe('n=aSet-Cookie: x=1');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('max-age=60');
    expect(answer.headers.get('content-type')).toBe('text/csv');
  });

  it.each([
    'text/html',
    ' TEXT/HTML;charset=utf-8',
    'text/plain, text/html',
    'image/svg+xml',
    'application/xml',
    'text/xml',
    'application/rss+xml',
    'application/mathml+xml; charset=utf-8',
    'text/xsl',
    'multipart/x-mixed-replace; boundary=a',
    'multipart/related',
    'message/rfc822',
  ])('that is a document of type %s runs without the origin of the admin', async (value) => {
    const headers = [
      { name: 'content-type', value },
      { name: 'Content-Security-Policy', value: "script-src 'unsafe-inline'" },
    ];
    await createInput({}, { headers });
    const answer = await send(path);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^sandbox (?!.*(?:allow-same-origin|unsafe-inline))/,
    );
  });

  it('to a body of 10 MB that goes through code is always there', async () => {
    await createInput({ method: 'POST' }, {}, { code: 'return msg;' });
    const text = 'x'.repeat(10 * 2 ** 20 - 2);
    for (let time = 0; time < 3; time++) {
      const answer = await send(path, {
        method: 'POST',
        body: JSON.stringify(text),
        headers: { 'Content-Type': 'application/json' },
      });
      expect([answer.status, answer.text.length]).toEqual([200, text.length]);
    }
  });

  it('leaves headers that change the security of the server to the server', async () => {
    const names = [
      ['Service-Worker-Allowed', '/'],
      ['Strict-Transport-Security', 'max-age=0'],
      ['content-security-policy', 'x'],
      ['Content-Security-Policy-Report-Only', 'x'],
      ['Clear-Site-Data', '"*"'],
      ['X-FRAME-OPTIONS', 'x'],
      ['Referrer-Policy', 'unsafe-url'],
      ['X-Content-Type-Options', 'x'],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Allow-Origin', 'https://evil.test'],
      ['Alt-Svc', 'h2="evil.test:443"'],
      ['NEL', '{}'],
      ['Reporting-Endpoints', 'x'],
      ['X-Accel-Redirect', '/internal'],
      ['Set-Cookie2', 'a=b'],
    ].map(([name, value]) => ({ name, value }));
    const id = await createInput({}, { headers: [...names, { name: 'X-Own', value: 'stays' }] });
    const { headers } = await send(path);
    expect(headers.get('x-own')).toBe('stays');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    for (const { name = '' } of names)
      if (!/^(?:access-control-allow-origin|x-content-type-options|referrer-policy)$/i.test(name))
        expect([name, headers.get(name)]).toEqual([name, null]);
    const [run] = await callList(server, `/workflows/${id}/runs`);
    expect(run?.['logs']).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('Clear-Site-Data') }),
    );
  });

  it('sets its own cookies and none of the server', async () => {
    const name = 'Set-Cookie';
    await createInput(
      {},
      {
        headers: [
          { name, value: 'basket=1; Path=/' },
          { name, value: '{{ msg.payload.cookie }}' },
          { name: 'SET-COOKIE', value: 'ic_remote=1' },
          { name: 'set-cookie', value: 'ic_remote' },
        ],
      },
    );
    for (const cookie of [
      'ic_session=a',
      ' ic_session=a',
      '\tIC_Session =a',
      '=ic_session=a',
      '"ic_session"=a',
      '__Host-ic_session=a',
      '\r\nic_site=1',
      '\0ic_anything',
    ]) {
      const answer = await send(`${path}?cookie=${encodeURIComponent(cookie)}`);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, ['basket=1; Path=/']]);
    }
    const { headers } = await send(`${path}?cookie=topic_a=1`);
    expect(headers.getSetCookie()).toEqual(['basket=1; Path=/', 'topic_a=1']);
  });

  it.each([
    { text: 'with "quotes", \\ and \u2028', payload: '}', list: [[], {}, '\\"', null, -1.5e-7] },
    ['a', { payload: { payload: 1 } }],
    'text with "quotes"',
    12.5,
    false,
    null,
  ])('has the payload that code has made: %j', async (payload) => {
    const code = `return { first: { payload: [']', 0] }, payload: ${JSON.stringify(payload)}, statusCode: 201 };`;
    await createInput({}, {}, { code });
    const { status, text } = await send(path);
    const sent = typeof payload === 'string' ? payload : JSON.stringify(payload);
    expect([status, text]).toEqual([201, payload === null ? '' : sent]);
  });

  it('is 500 if one of its headers cannot be sent, and the server goes on', async () => {
    await createInput({}, { headers: [{ name: 'X-Own', value: '{{ msg.payload.x }}' }] });
    expect((await send(`${path}?x=%01`)).status).toBe(500);
    expect((await send(`${path}?x=1`)).headers.get('x-own')).toBe('1');
  });

  it('is 204 without a response node', async () => {
    await createInput({}, null);
    const answer = await send(path);
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  it('to HEAD has no body', async () => {
    await createInput({});
    const answer = await send(`${path}?a=1`, { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it('names the error for those with a credential only', async () => {
    const id = await createInput({}, {}, { fails: true });
    const anonymous = await send(path);
    expect([anonymous.status, JSON.parse(anonymous.text)]).toEqual([
      500,
      { error: 'the workflow failed', code: 'workflow.failed', params: {} },
    ]);
    const { name } = await callOk(server, 'GET', `/workflows/${id}`);
    const known = await send(path, { headers: bearer(tokens.read) });
    expect([known.status, JSON.parse(known.text)]).toEqual([
      500,
      { error: expect.stringContaining(`workflow "${name}", node "delay bad": `) },
    ]);
  });
});

describe('the address', () => {
  it('prefers a literal part to a placeholder', async () => {
    const literal = await createInput({ path: `${path}/new` });
    const one = await createInput({ path: `${path}/{id}` });
    const rest = await createInput({ path: `${path}/{all...}` });
    const runs = async () =>
      Promise.all(
        [literal, one, rest].map(async (id) => (await callList(server, `/workflows/${id}/runs`)).length),
      );
    await send(`${path}/new`);
    await send(`${path}/7`);
    await send(`${path}/7/8`);
    expect(await runs()).toEqual([1, 1, 1]);
  });

  it.each(['', '/', '/x', '/a/', '//b', '/%zz', '/..', '?x'])(
    '%s that no active workflow has is 404',
    async (below) => {
      await createInput({ path: `${path}/a/b` });
      expect((await send(path + below)).status).toBe(404);
    },
  );

  it('of a disabled workflow is 404', async () => {
    const id = await createInput({}, {}, { enabled: false });
    expect((await send(path)).status).toBe(404);
    await callOk(server, 'PUT', `/workflows/${id}`, { enabled: true });
    expect((await send(path)).status).toBe(200);
    await callOk(server, 'PUT', `/workflows/${id}`, { flow: { nodes: [] } });
    expect((await send(path)).status).toBe(404);
  });

  it('with another method is 405', async () => {
    await createInput({ method: 'POST' });
    const answer = await send(path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'common.methodNotAllowed' });
  });

  it('with ANY takes all methods', async () => {
    const id = await createInput({ method: 'ANY' }, null);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await send(path, { method })).status).toBe(204);
    expect(await callList(server, `/workflows/${id}/runs`)).toHaveLength(5);
    expect(
      (await sendRaw(server.port, `TRACE /api/v1/flows/${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).slice(9, 12),
    ).toMatch(/4\d\d/);
  });
});

describe('CORS', () => {
  it('preflight of a public input is answered', async () => {
    await createInput({ method: 'POST' });
    const headers = {
      Origin: 'https://other.example',
      'Access-Control-Request-Headers': 'content-type, x-own',
    };
    const answer = await send(path, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-own',
    });
  });

  it('is not for closed inputs', async () => {
    await createInput({ method: 'POST', public: false });
    expect((await send(path, { method: 'OPTIONS' })).status).toBe(405);
    expect((await send(path, { method: 'POST' })).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a closed input', () => {
  const cookie = () => ({ Cookie: `ic_session=${session}` });
  const cases: [string, string, () => Record<string, string>, number][] = [
    ['without credential', 'GET', () => ({}), 401],
    ['with an unknown token', 'GET', () => bearer('ic_unknown'), 401],
    ['with a read token', 'GET', () => bearer(tokens.read), 200],
    ['with a read token', 'POST', () => bearer(tokens.read), 403],
    ['with a write token', 'POST', () => bearer(tokens.write), 200],
    ['with the master token', 'DELETE', () => bearer(masterToken), 200],
    ['with a session', 'GET', cookie, 200],
    ['with a session', 'POST', cookie, 403],
    ['with a session and its header', 'POST', () => ({ ...cookie(), 'X-IC-CSRF': '1' }), 200],
    ['with a session from another site', 'GET', () => ({ ...cookie(), 'Sec-Fetch-Site': 'cross-site' }), 403],
    ['with a session from another host', 'GET', () => ({ ...cookie(), 'Sec-Fetch-Site': 'same-site' }), 403],
    ['with a session from here', 'GET', () => ({ ...cookie(), 'Sec-Fetch-Site': 'same-origin' }), 200],
  ];
  it.each(cases)('%s, %s', async (_name, method, headers, status) => {
    await createInput({ method: 'ANY', public: false });
    const answer = await send(path, { method, headers: headers() });
    expect(answer.status).toBe(status);
    if (status === 403 && method === 'GET') expect(answer.text).toContain('workflow.crossSite');
  });

  it('takes ?token= for GET', async () => {
    await createInput({ public: false });
    expect((await send(`${path}?token=${tokens.read}`)).status).toBe(200);
  });
});

describe('a public input', () => {
  it('takes a form of an administrator without the CSRF header', async () => {
    await createInput({ method: 'POST' });
    const headers = { Cookie: `ic_session=${session}`, 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await send(path, { method: 'POST', body: 'a=1', headers })).status).toBe(200);
  });

  it('does not believe how many requests have led to it', async () => {
    await createInput({});
    const headers = { 'X-IC-Webhook-Hop': '9', 'X-IC-Delivery': '00000000-0000-4000-8000-000000000000' };
    expect((await send(path, { headers })).status).toBe(200);
  });
});

describe('workflows that call each other', () => {
  it('end at a depth of three', async () => {
    const nodes = [
      node('in', 'http-in', { path, public: true }),
      node('ask', 'http-request', { url: `${server.url}/api/v1/flows/${path}` }),
      node('out', 'http-response', {}),
    ];
    const wires = [
      { from: 'in', to: 'ask' },
      { from: 'ask', to: 'out' },
    ];
    const { id } = await callOk(server, 'POST', '/workflows', {
      name: freshName('Loop'),
      flow: { nodes, wires },
    });
    const answer = await send(path);
    expect(answer.text).toContain('workflow.nestedTooDeep');
    expect(answer.status).toBe(508);
    expect(await callList(server, `/workflows/${id}/runs`)).toHaveLength(4);
  });

  it('are refused beyond it where the caller is known', async () => {
    await createInput({ public: false });
    const at = (hop: string) => send(path, { headers: { ...bearer(tokens.read), 'X-IC-Webhook-Hop': hop } });
    expect((await at('3')).status).toBe(200);
    const refused = await at('4');
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      508,
      { error: expect.any(String), code: 'workflow.nestedTooDeep', params: { max: 3 } },
    ]);
  });
});

describe('the rate limit', () => {
  it('counts requests of inputs', async () => {
    const limited = await startServer({ args: ['-rate-limit', '1'] });
    const statuses = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push((await fetch(`${limited.url}/api/v1/flows/x`)).status);
    expect(statuses).toContain(429);
    await limited.stop();
  });
});
