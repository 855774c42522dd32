import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllowList } from '../../../server/config/outgoing-rules.ts';
import { readBytes } from '../../../server/http/outgoing/answer.ts';
import type { OutgoingRequest } from '../../../server/http/outgoing/client.ts';
import type { OutgoingError } from '../../../server/http/outgoing/errors.ts';
import { readJson } from '../../../server/http/outgoing/json.ts';
import { type Answer, type FakeInternet, portOf, publicAddress, startFakeInternet } from './fake-internet.ts';

/** The client for outgoing requests. */

let net: FakeInternet;
const pages = new Map<string, Answer>();

beforeAll(async () => {
  net = await startFakeInternet((request, response) => {
    const page = pages.get(request.path.split('?')[0] ?? '');
    if (page === undefined) response.writeHead(404).end('nothing here');
    else page(request, response);
  });
  for (const host of ['public.test', 'other.test']) net.names.set(host, [publicAddress]);
  for (const host of ['private.test', 'private2.test']) net.names.set(host, ['127.0.0.1']);
  net.names.set('metadata.test', ['169.254.169.254']);
  net.names.set('mixed.test', [publicAddress, '127.0.0.1']);
  pages.set('/hello', (_request, response) => response.end('hello'));
});
afterAll(() => net.close());
afterEach(() => {
  net.seen.length = 0;
  net.resolved.length = 0;
});

const at = (host: string, path = '/hello'): string => `http://${host}:${net.port}${path}`;

/** Adds a page that redirects. */
function redirect(path: string, status: number, location: string): void {
  pages.set(path, (_request, response) => response.writeHead(status, { Location: location }).end());
}

/** Code and message of the error that a request ends with. */
async function failure(work: Promise<unknown>): Promise<Pick<OutgoingError, 'code' | 'message'>> {
  const error: unknown = await work.then(
    () => ({ code: 'none', message: 'it did not fail' }),
    (reason: unknown) => reason,
  );
  // Type boundary: what a request throws is an OutgoingError; anything else fails the expectation.
  return error as OutgoingError;
}

describe('a request', () => {
  it('sends method, headers and body, and streams the answer', async () => {
    pages.set('/echo', ({ method, body, headers }, response) => {
      response.writeHead(201, { 'X-Two': ['a', 'b'] });
      response.end(`${method} ${headers['x-key']} ${body}`);
    });
    const url = at('public.test', '/echo?a=1');
    const answer = await net.client().send({ method: 'POST', url, headers: { 'X-Key': 'k' }, body: 'text' });
    expect(answer).toMatchObject({ status: 201, url });
    expect(answer.headers.get('x-two')).toBe('a, b');
    expect(await text(answer.body)).toBe('POST k text');
    expect(net.seen[0]).toMatchObject({ path: '/echo?a=1', host: `public.test:${net.port}` });
  });

  it('sends a stream, and answers any status', async () => {
    const body = Readable.from([Buffer.from('one '), Buffer.from('two')]);
    const answer = await net.client().send({ method: 'PUT', url: at('public.test', '/none'), body });
    expect([answer.status, await text(answer.body)]).toEqual([404, 'nothing here']);
    expect(net.seen[0]?.body).toBe('one two');
  });

  it('uses a connection again, but none to an address that the host has no longer', async () => {
    const client = net.client();
    const sockets = new Set<unknown>();
    pages.set('/socket', (_request, response) => {
      sockets.add(response.socket);
      response.end();
    });
    const send = async () => text((await client.send({ url: at('moving.test', '/socket') })).body);
    net.names.set('moving.test', ['127.0.0.1']);
    for (let count = 0; count < 10; count++) await send();
    expect(net.seen).toHaveLength(10);
    expect(sockets.size).toBeLessThan(5);
    net.names.set('moving.test', ['127.0.0.2']);
    expect(await failure(send())).toMatchObject({ code: 'connectFailed' });
    expect(net.seen).toHaveLength(10);
  });

  it('ignores proxies of the environment', async () => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'HTTPS_PROXY'])
      vi.stubEnv(name, 'http://127.0.0.1:9');
    try {
      const answer = await net.client().send({ url: at('public.test') });
      expect(await text(answer.body)).toBe('hello');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('carries the conditions of the caller', async () => {
    pages.set('/conditional', ({ headers }, response) =>
      response.writeHead(headers['if-none-match'] === '"1"' ? 304 : 200, { ETag: '"1"' }).end(),
    );
    const client = net.client();
    const headers = { 'If-None-Match': '"1"', 'User-Agent': 'Importer' };
    const { status, body } = await client.send({ url: at('public.test', '/conditional'), headers });
    expect([status, await text(body), net.seen[0]?.headers['user-agent']]).toEqual([304, '', 'Importer']);
  });
});

describe('a target', () => {
  it.each([
    [
      'metadata.test',
      'forbidden',
      /^metadata\.test:\d+: the target is refused: it has the address of a metadata service$/,
    ],
    ['mixed.test', 'forbidden', /it has public and private addresses at the same time$/],
    ['169.254.169.254', 'forbidden', /metadata service/],
    ['2852039166', 'forbidden', /^169\.254\.169\.254:\d+: .* metadata service/],
    ['0xa9fea9fe', 'forbidden', /metadata service/],
    ['[::ffff:169.254.169.254]', 'forbidden', /metadata service/],
    ['[fd00:ec2::254]', 'forbidden', /metadata service/],
    ['unknown.test', 'unresolved', /there is no such name$/],
  ])('%s is %s', async (host, code, message) => {
    expect(await failure(net.client().send({ url: at(host) }))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(net.seen).toEqual([]);
  });

  it.each(['HEAD', 'GET', 'POST'] as const)('is checked for %s alike', async (method) => {
    expect(await failure(net.client().send({ method, url: at('metadata.test') }))).toMatchObject({
      code: 'forbidden',
    });
  });

  it('must be public in mode public', async () => {
    const client = net.client({ rules: { mode: 'public', allow: [] } });
    expect(await failure(client.send({ url: at('private.test') }))).toMatchObject({ code: 'forbidden' });
    expect(await failure(client.send({ url: at('127.0.0.1') }))).toMatchObject({ code: 'forbidden' });
    expect((await client.send({ url: at('public.test') })).status).toBe(200);
  });

  it('must be listed in mode allowlist', async () => {
    const allow = parseAllowList('private.test,203.0.113.0/24') ?? [];
    const client = net.client({ rules: { mode: 'allowlist', allow } });
    expect((await client.send({ url: at('private.test') })).status).toBe(200);
    expect(await failure(client.send({ url: at('public.test') }))).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('-outgoing-allow'),
    });
  });

  it('is resolved once, and the connection goes to the address that was checked', async () => {
    const answers = [[publicAddress], ['127.0.0.1']];
    const resolve = async () => answers.shift() ?? [];
    const reached: string[] = [];
    const client = net.client({
      rules: { mode: 'public', allow: [] },
      resolve,
      route: (address) => {
        reached.push(address);
        return '127.0.0.1';
      },
    });
    expect((await client.send({ url: at('rebinding.test') })).status).toBe(200);
    expect(reached).toEqual([publicAddress]);
    expect(await failure(client.send({ url: at('rebinding.test') }))).toMatchObject({ code: 'forbidden' });
  });

  it('that others have chosen must be public if the configured host is', async () => {
    const client = net.client();
    const from = (foundOn: string, host: string) => client.send({ url: at(host), foundOn: at(foundOn) });
    expect((await from('public.test', 'other.test')).status).toBe(200);
    expect((await from('private.test', 'private2.test')).status).toBe(200);
    expect((await from('private.test', 'public.test')).status).toBe(200);
    for (const foundOn of ['public.test', 'mixed.test', 'unknown.test'])
      expect(await failure(from(foundOn, 'private.test'))).toMatchObject({ code: 'forbidden' });
    expect(await failure(from('private.test', 'metadata.test'))).toMatchObject({ code: 'forbidden' });
  });

  it('can be checked before it is used, without the name service', () => {
    const client = net.client();
    expect(client.faultOf('https://unknown.test/x')).toBeUndefined();
    expect(client.faultOf('http://127.0.0.1/')).toBeUndefined();
    expect(client.faultOf('http://169.254.169.254/')).toMatchObject({ code: 'forbidden' });
    expect(client.faultOf('ftp://a.test/')).toMatchObject({ code: 'urlInvalid' });
    expect(net.client({ rules: { mode: 'public', allow: [] } }).faultOf('http://[::1]/')).toMatchObject({
      code: 'forbidden',
    });
    expect(net.resolved).toEqual([]);
  });
});

describe('a redirect', () => {
  const follow = (url: string, more: Partial<OutgoingRequest> = {}) =>
    net.client().send({ url, maxRedirects: 5, ...more });

  it('is the answer unless redirects are followed', async () => {
    redirect('/away', 302, at('other.test'));
    const answer = await net.client().send({ url: at('public.test', '/away') });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, at('other.test')]);
    expect(net.seen).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])('with status %i leads on', async (status) => {
    redirect('/on', status, '/hello#part');
    const answer = await follow(at('public.test', '/on'));
    expect([answer.status, answer.url, await text(answer.body)]).toEqual([200, at('public.test'), 'hello']);
  });

  it.each([
    ['POST', 301, 'GET', ''],
    ['POST', 302, 'GET', ''],
    ['POST', 303, 'GET', ''],
    ['POST', 307, 'POST', 'x=1'],
    ['PUT', 302, 'PUT', 'x=1'],
    ['PUT', 303, 'GET', ''],
    ['HEAD', 303, 'HEAD', ''],
  ] as const)('turns %s with %i into %s', async (method, status, then, body) => {
    redirect('/change', status, '/hello');
    const headers = { 'Content-Type': 'text/x', 'X-Own': '1' };
    const sent = method === 'HEAD' ? {} : { body: 'x=1' };
    await follow(at('public.test', '/change'), { method, headers, ...sent });
    const [, second] = net.seen;
    expect(second).toMatchObject({ method: then, body });
    expect(second?.headers['x-own']).toBe('1');
    expect(second?.headers['content-type']).toBe(body === '' ? undefined : 'text/x');
  });

  it('takes own headers to no other origin, and not back either', async () => {
    redirect('/out', 302, at('other.test', '/back'));
    redirect('/back', 302, at('public.test'));
    const headers = {
      ...{ Authorization: 'Bearer s3cret', Cookie: 'a=b', 'X-Api-Key': 'k', Referer: 'http://x.test/' },
      ...{ 'If-None-Match': '"1"', Accept: 'text/html', 'User-Agent': 'Importer' },
    };
    await follow(at('public.test', '/out'), { headers });
    expect(net.seen.map(({ host }) => host.split(':')[0])).toEqual([
      'public.test',
      'other.test',
      'public.test',
    ]);
    expect(net.seen[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret', cookie: 'a=b' });
    for (const { headers: sent } of net.seen.slice(1)) {
      const { host: _host, connection: _connection, ...rest } = sent;
      expect(rest).toEqual({ accept: 'text/html', 'user-agent': 'Importer', 'accept-encoding': 'gzip, br' });
    }
  });

  it.each([
    ['to a metadata service', () => 'http://169.254.169.254/latest/', 'forbidden'],
    ['to a metadata service by name', () => at('metadata.test'), 'forbidden'],
    ['to this machine', () => at('127.0.0.1'), 'forbidden'],
    ['to a private host', () => at('private.test'), 'forbidden'],
    ['to a host with mixed addresses', () => at('mixed.test'), 'forbidden'],
    ['to a file', () => 'file:///etc/passwd', 'redirectRefused'],
    ['to gopher', () => 'gopher://public.test/', 'redirectRefused'],
    ['with a user name', () => `http://user:pw@public.test:${net.port}/`, 'redirectRefused'],
    ['to nothing', () => 'http://', 'redirectRefused'],
  ])('of a public host %s is refused', async (_name, target, code) => {
    redirect('/evil', 302, target());
    expect(await failure(follow(at('public.test', '/evil')))).toMatchObject({ code });
    expect(net.seen).toHaveLength(1);
  });

  it('of a private host may lead to a private host, never to a metadata service', async () => {
    redirect('/inside', 302, at('private2.test'));
    expect((await follow(at('private.test', '/inside'))).status).toBe(200);
    redirect('/inside', 302, at('metadata.test'));
    expect(await failure(follow(at('private.test', '/inside')))).toMatchObject({ code: 'forbidden' });
  });

  it('is followed five times at most', async () => {
    for (let step = 1; step <= 9; step++) redirect(`/step${step}`, 302, `/step${step + 1}`);
    redirect('/step6', 302, '/hello');
    redirect('/round', 302, '/round');
    expect((await follow(at('public.test', '/step2'))).status).toBe(200);
    net.seen.length = 0;
    expect(await failure(follow(at('public.test', '/step1')))).toMatchObject({
      code: 'redirectRefused',
      message: expect.stringMatching(/there are more than 5 in a row$/),
    });
    expect(net.seen).toHaveLength(6);
    expect(await failure(follow(at('public.test', '/round'), { maxRedirects: 99 }))).toMatchObject({
      code: 'redirectRefused',
    });
  });

  it('takes a body to no other origin, and a stream nowhere', async () => {
    redirect('/keep', 307, at('other.test'));
    const post = { method: 'POST', body: 'secret' } as const;
    expect(await failure(follow(at('public.test', '/keep'), post))).toMatchObject({
      code: 'redirectRefused',
    });
    redirect('/keep', 308, '/hello');
    const body = Readable.from([Buffer.from('x')]);
    expect(await failure(follow(at('public.test', '/keep'), { method: 'POST', body }))).toMatchObject({
      code: 'redirectRefused',
    });
    expect(net.seen.every(({ path }) => path === '/keep')).toBe(true);
  });
});

describe('TLS', () => {
  const fixture = (name: string) =>
    readFileSync(new URL(`../../conformance/fixtures/tls/${name}.pem`, import.meta.url));
  const tls = createTlsServer({ cert: fixture('cert'), key: fixture('key') }, (_request, response) =>
    response.writeHead(302, { Location: at('public.test') }).end(),
  );
  beforeAll(async () => {
    tls.listen(0, '127.0.0.1');
    await once(tls, 'listening');
  });
  afterAll(() => void tls.close());

  it('is verified', async () => {
    expect(await failure(net.client().send({ url: `https://public.test:${portOf(tls)}/` }))).toMatchObject({
      code: 'tlsFailed',
      message: expect.stringMatching(/^public\.test:\d+: no secure connection: /),
    });
  });
});

describe('limits', () => {
  it('of size: the rest is refused or left out, and the connection ends', async () => {
    pages.set('/endless', (_request, response) => {
      response.on('error', () => {});
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const client = net.client();
    const url = at('public.test', '/endless');
    expect(await failure(client.send({ url }).then((answer) => readBytes(answer, 100_000)))).toMatchObject({
      code: 'tooLarge',
      message: expect.stringMatching(/it has more than 100000 bytes$/),
    });
    const cut = await readBytes(await client.send({ url }), 100_000, 'truncate');
    expect([cut.bytes.length, cut.isTruncated]).toEqual([100_000, true]);
    const whole = await readBytes(await client.send({ url: at('public.test') }), 5, 'truncate');
    expect([whole.bytes.toString(), whole.isTruncated]).toEqual(['hello', false]);
  });

  it('of time: for the headers, between pieces, and for the whole', async () => {
    pages.set('/silent', () => {});
    pages.set('/stalls', (_request, response) => {
      response.on('error', () => {});
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('abc');
    });
    const client = net.client();
    const send = (path: string, timeouts: OutgoingRequest['timeouts']) =>
      client.send({ url: at('public.test', path), timeouts: timeouts ?? {} });
    expect(await failure(send('/silent', { headersMs: 20 }))).toMatchObject({ code: 'timeout' });
    expect(await failure(send('/silent', { totalMs: 20 }))).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/it took more than 20 ms$/),
    });
    const stalled = await send('/stalls', { idleMs: 20 });
    expect(await failure(text(stalled.body))).toMatchObject({ code: 'timeout' });
    const slow = await send('/stalls', { totalMs: 100 });
    expect(await failure(text(slow.body))).toMatchObject({ code: 'timeout' });
  });

  it('of time: for the name service and for the connection', async () => {
    const never = net.client({ resolve: () => new Promise(() => {}) });
    expect(await failure(never.send({ url: at('x.test'), timeouts: { totalMs: 20 } }))).toMatchObject({
      code: 'timeout',
    });
    // An address of a network for documentation: no answer, or no way to it.
    const lost = net.client({ connectMs: 20, resolve: async () => ['192.0.2.1'] });
    expect(['timeout', 'connectFailed']).toContain((await failure(lost.send({ url: at('x.test') }))).code);
  });

  it('of a caller who gives up', async () => {
    const controller = new AbortController();
    pages.set('/wait', () => controller.abort());
    const send = () => net.client().send({ url: at('public.test', '/wait'), signal: controller.signal });
    expect(await failure(send())).toMatchObject({ code: 'canceled' });
    expect(await failure(send())).toMatchObject({ code: 'canceled' });
  });

  it('of a server that stops: all requests end', async () => {
    const client = net.client();
    pages.set('/hold', () => void client.close());
    expect(await failure(client.send({ url: at('public.test', '/hold') }))).toMatchObject({
      code: 'canceled',
    });
  });
});

describe('faults of the other side', () => {
  /** A server that sends these bytes and closes the connection. */
  async function raw(bytes: string, reset = false): Promise<{ url: string; close(): void }> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        if (reset) socket.resetAndDestroy();
        else socket.end(bytes);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${portOf(server)}/`, close: () => void server.close() };
  }

  it.each([
    ['no HTTP', 'SSH-2.0-x\r\n', 'answerInvalid'],
    ['an end before the headers', 'HTTP/1.1 200', 'broken'],
    ['a cut body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', 'broken'],
    ['a cut chunked body', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', 'broken'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(5000)}\r\n`, 'answerInvalid'],
    [
      'an unknown encoding',
      'HTTP/1.1 200 OK\r\nContent-Encoding: zip\r\nContent-Length: 1\r\n\r\na',
      'answerInvalid',
    ],
    [
      'damaged compression',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc',
      'answerInvalid',
    ],
  ])('%s', async (_name, bytes, code) => {
    const server = await raw(bytes);
    const work = net
      .client()
      .send({ url: server.url })
      .then(({ body }) => text(body));
    expect(await failure(work)).toMatchObject({ name: 'OutgoingError', code });
    server.close();
  });

  it('a body that broke before somebody reads it', async () => {
    const server = await raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc');
    const { body } = await net.client().send({ url: server.url });
    await new Promise((resolve) => body.on('close', resolve));
    expect(await failure(text(body))).toMatchObject({ name: 'OutgoingError', code: 'broken' });
    server.close();
  });

  it('a reset and a closed port', async () => {
    const server = await raw('', true);
    expect(await failure(net.client().send({ url: server.url }))).toMatchObject({ code: 'broken' });
    server.close();
    expect(await failure(net.client().send({ url: server.url }))).toMatchObject({ code: 'connectFailed' });
  });
});

describe('bodies', () => {
  it.each([
    ['gzip', gzipSync('packed')],
    ['br', brotliCompressSync('packed')],
  ])('with encoding %s are decoded, unless they are wanted as they are', async (encoding, packed) => {
    pages.set('/packed', (_request, response) =>
      response.writeHead(200, { 'Content-Encoding': encoding }).end(packed),
    );
    const client = net.client();
    const url = at('public.test', '/packed');
    expect(await text((await client.send({ url })).body)).toBe('packed');
    const { body } = await client.send({ url, decode: false });
    expect((await readBytes({ body, url }, 1000)).bytes).toEqual(packed);
    expect(net.seen.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip, br', 'identity']);
    expect((await client.send({ url, method: 'HEAD' })).status).toBe(200);
  });

  it('that grow without end when they are decoded stay within the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
    pages.set('/bomb', (_request, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    );
    const answer = await net.client().send({ url: at('public.test', '/bomb') });
    expect(await failure(readBytes(answer, 1000))).toMatchObject({ code: 'tooLarge' });
  });

  it('are read as JSON', async () => {
    const reply = (json: string) => pages.set('/json', (_request, response) => response.end(json));
    const read = async () =>
      readJson(await net.client().send({ url: at('public.test', '/json') }), 20_000_000);
    reply('{"a":[1,2]}');
    expect(await read()).toEqual({ a: [1, 2] });
    reply(JSON.stringify(Array.from({ length: 200_000 }, (_, index) => index)));
    expect(await read()).toHaveLength(200_000);
    reply('{"__proto__":{"admin":1},"constructor":{"prototype":{"admin":1}}}');
    const value = await read();
    expect([Object.keys(Object(value)), Reflect.get({}, 'admin')]).toEqual([
      ['__proto__', 'constructor'],
      undefined,
    ]);
    for (const broken of ['', '{', '{"a":1,"a":2}', '['.repeat(1_000_000), `[${'1,'.repeat(1_000_001)}1]`]) {
      reply(broken);
      expect(await failure(read())).toMatchObject({ code: 'answerInvalid' });
    }
  });
});

describe('secrets', () => {
  const secret = 'v3rys3cret';

  it.each([
    ['a line break in a header', { headers: { 'X-Key': `${secret}\r\nX-Other: 1` } }],
    ['a name that is none', { headers: { [`${secret} x`]: '1' } }],
    ['a header of the connection', { headers: { 'Transfer-Encoding': secret } }],
  ])('%s is refused, and not named', async (_name, more) => {
    const error = await failure(net.client().send({ url: at('public.test', `/?key=${secret}`), ...more }));
    expect(error).toMatchObject({ code: 'requestInvalid' });
    expect(error.message).not.toContain(secret);
    expect(net.seen).toEqual([]);
  });

  it('in address, headers and body are in no error', async () => {
    redirect('/evil', 302, `http://169.254.169.254/?key=${secret}`);
    pages.set('/cut', (_request, response) => response.destroy());
    for (const path of ['/evil', '/cut']) {
      const url = at('public.test', `${path}?key=${secret}`);
      const request = { url, maxRedirects: 5, headers: { Authorization: secret } };
      const error = await failure(net.client().send(request));
      expect(JSON.stringify([error, error.message, String(Reflect.get(error, 'stack'))])).not.toContain(
        secret,
      );
      expect(Reflect.get(error, 'cause')).toBeUndefined();
    }
    expect(net.client().faultOf(`http://user:${secret}@a.test/`)?.message).not.toContain(secret);
  });

  it('text in a path that looks like another request is part of the path', async () => {
    await net.client().send({ url: at('public.test', '/a%0d%0aX:1/../../@evil.test/?q=\r\nX: 1') });
    expect(net.seen).toMatchObject([{ path: '/@evil.test/?q=X:%201', host: `public.test:${net.port}` }]);
  });
});

describe('a connection for another protocol', () => {
  const { signal } = new AbortController();

  it('goes to the checked addresses', async () => {
    for (const host of ['public.test', 'private.test', '127.0.0.1']) {
      const socket = await net.client().connect({ host, port: net.port, signal });
      expect(socket.remoteAddress).toBe('127.0.0.1');
      socket.destroy();
    }
  });

  it.each([
    ['metadata.test', 'forbidden'],
    ['169.254.169.254', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['mixed.test', 'forbidden'],
    ['unknown.test', 'unresolved'],
    ['a b', 'urlInvalid'],
  ])('to %s is %s', async (host, code) => {
    expect(await failure(net.client().connect({ host, port: net.port, signal }))).toMatchObject({ code });
  });

  it('keeps to the mode of the rules', async () => {
    const client = net.client({ rules: { mode: 'public', allow: [] } });
    expect(await failure(client.connect({ host: 'private.test', port: net.port, signal }))).toMatchObject({
      code: 'forbidden',
    });
  });

  it('that is refused or canceled names host and reason', async () => {
    expect(await failure(net.client().connect({ host: '127.0.0.1', port: 1, signal }))).toMatchObject({
      code: 'connectFailed',
      message: '127.0.0.1:1: no connection: the host refuses connections on this port',
    });
    const aborted = { host: '127.0.0.1', port: net.port, signal: AbortSignal.abort() };
    expect(await failure(net.client().connect(aborted))).toMatchObject({ code: 'canceled' });
  });
});
