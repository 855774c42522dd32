import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { createSite, createSnippet } from '../support/content.ts';
import { withPossibleFronts } from '../support/possible-fronts.ts';
import { requestHead, sendAndEnd, sendInTurn, sendRaw } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** The two transports, and the one that has several threads. */
const fronts = [
  ['uws', '1'],
  ['node', '1'],
  ['uws', '2'],
] as const;

describe.each(withPossibleFronts(fronts))('with -front %s -front-threads %s', (front, threads) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({ args: ['-front', front, '-front-threads', threads] });
    await createSite(server);
  });
  afterAll(() => server.stop());

  const auth = `Authorization: Bearer ${masterToken}`;

  describe('a message whose end two parsers could see in different places', () => {
    const post = (...lines: string[]) =>
      requestHead('POST /api/v1/assets HTTP/1.1', 'Host: a', auth, ...lines);
    it.each([
      ['two different lengths', post('Content-Length: 5', 'Content-Length: 10')],
      ['two equal lengths', post('Content-Length: 5', 'Content-Length: 5')],
      ['length and chunks', post('Content-Length: 5', 'Transfer-Encoding: chunked')],
      ['an unknown coding', post('Transfer-Encoding: xchunked')],
      ['chunks twice', `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
      ['a signed length', post('Content-Length: +5')],
      ['a hexadecimal length', post('Content-Length: 0x5')],
      ['an empty length', post('Content-Length:')],
      ['a length beyond 2^64', post('Content-Length: 18446744073709551621')],
      ['a length list', post('Content-Length: 5, 5')],
      [
        'a chunk size beyond 2^64',
        `${post('Transfer-Encoding: chunked')}10000000000000005\r\nhello\r\n0\r\n\r\n`,
      ],
      ['lines that end in LF', post('Content-Length: 0').replaceAll('\r\n', '\n')],
      ['a negative chunk', `${post('Transfer-Encoding: chunked')}-1\r\n\r\n`],
      ['two hosts', requestHead('GET / HTTP/1.1', 'Host: a', 'Host: b')],
      ['two equal hosts', requestHead('GET / HTTP/1.1', 'Host: a', 'Host: a')],
      [
        'two lengths on a public path',
        requestHead('GET / HTTP/1.1', 'Host: a', 'Content-Length: 0', 'Content-Length: 1'),
      ],
      ['an empty host', requestHead('GET / HTTP/1.1', 'Host:')],
      ['a host with credentials', requestHead('GET / HTTP/1.1', 'Host: a@b')],
      ['a host with a path', requestHead('GET / HTTP/1.1', 'Host: a/b')],
      ['a host with spaces', requestHead('GET / HTTP/1.1', 'Host: a b')],
      ['an absolute target', requestHead('GET http://b/ HTTP/1.1', 'Host: a')],
      ['a target that is no path', requestHead('GET x HTTP/1.1', 'Host: a')],
      ['HTTP/1.0', requestHead('GET / HTTP/1.0', 'Host: a')],
      ['a method in lower case', requestHead('get /healthz HTTP/1.1', 'Host: a')],
      ['a method in mixed case', requestHead('Get /api/v1/cache HTTP/1.1', 'Host: a', auth)],
      [
        'a chunk with an extension',
        `${post('Transfer-Encoding: chunked', 'Content-Type: application/json')}2;x=y\r\n{}\r\n0\r\n\r\n`,
      ],
    ])('is refused and the connection closed: %s', async (_name, message) => {
      const answer = await sendRaw(server.port, message);
      expect(answer).toMatch(/^HTTP\/1\.1 (?:4\d\d|505) /);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
      // The next request on the connection may be a smuggled one: it gets no answer.
      const next = requestHead('GET /healthz HTTP/1.1', 'Host: a', 'Connection: close');
      const both = await sendRaw(server.port, message + next);
      expect(both).not.toContain('"status":"ok"');
      expect(both.match(/HTTP\/1\.1 \d/g) ?? []).toSatisfy((answers: string[]) => answers.length <= 1);
    });
  });

  describe('chunks with a request for a page', () => {
    const next = requestHead('GET /healthz HTTP/1.1', 'Host: a', 'Connection: close');
    const chunked = (method: string) =>
      requestHead(`${method} / HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked');
    const isNode = front === 'node';
    // An answer at hand, because a request must not come behind one that waits.
    beforeAll(() => sendRaw(server.port, requestHead('GET / HTTP/1.1', 'Host: a', 'Connection: close')));

    it.each([
      ['valid ones', '3\r\nabc\r\n0\r\n\r\n'],
      ['an extension', '3;x=y\r\nabc\r\n0\r\n\r\n'],
      ['a trailer', '0\r\nX: y\r\n\r\n'],
    ])('are read, or refused together with all that follows: %s', async (_name, chunks) => {
      for (const method of ['GET', 'HEAD']) {
        const answers = await sendRaw(server.port, chunked(method) + chunks + next);
        expect(answers.includes('"status":"ok"')).toBe(isNode);
        // The library refuses some itself, without an answer or with one of its own.
        expect(answers).toMatch(isNode ? /^HTTP\/1\.1 200 / : /^(?:HTTP\/1\.1 (?:4\d\d|505) |$)/);
      }
    });

    it.runIf(!isNode)('are 411 if the library lets them through', async () => {
      const [answer] = await sendInTurn(server.port, [chunked('GET')]);
      expect(answer).toMatch(/^HTTP\/1\.1 411 Length Required\r\n[\s\S]*\r\nConnection: close\r\n/);
    });

    it.each([
      ['no size', '\r\n'],
      ['a space before the size', ' 0\r\n\r\n'],
      ['a space after the size', '0 \r\n\r\n'],
      ['a tab after the size', '0\t\r\n\r\n'],
      ['LF after the size', '0\n\r\n'],
      ['no line break after a chunk', '3\r\nabc0\r\n\r\n'],
    ])('hide no second request: %s', async (_name, chunks) => {
      for (const method of ['GET', 'HEAD']) {
        const answers = await sendRaw(server.port, chunked(method) + chunks + next);
        expect(answers).not.toContain('"status":"ok"');
        expect(answers.match(/HTTP\/1\.1 \d/g)?.length ?? 0).toBeLessThan(2);
      }
    });
  });

  describe('a message with a header that cannot be read', () => {
    const next = requestHead('GET /healthz HTTP/1.1', 'Host: a');
    const get = (...lines: string[]) => requestHead('GET /healthz HTTP/1.1', 'Host: a', ...lines);

    it('gets an answer when the header is valid', async () => {
      // An answer that is not at hand does not reach a client that has ended its side.
      const send = threads === '1' ? sendAndEnd : sendRaw;
      const message = get('X: a', 'Connection: close');
      expect(await send(server.port, message)).toContain('"status":"ok"');
    });

    it.each([
      ['a space before the colon', get('Transfer-Encoding : chunked')],
      ['a folded header', get('X: a', ' b: c')],
      ['NUL in a header', get('X: a\0b')],
      ['CR in a header', get('X: a\rContent-Length: 5')],
      ['a header without a colon', get('X')],
    ])('gets no answer, and neither does the next request: %s', async (_name, message) => {
      expect(await sendAndEnd(server.port, message + next)).not.toContain('"status":"ok"');
    });
  });

  describe('a length after a header without a name', () => {
    const next = requestHead('GET /healthz HTTP/1.1', 'Host: a');

    it.each(['POST', 'PUT', 'DELETE', 'PATCH'])(
      'hides no second request in the body of a %s',
      async (method) => {
        const head = [
          `${method} /api/v1/pages/1 HTTP/1.1`,
          'Host: a',
          ': x',
          `Content-Length: ${next.length}`,
        ];
        expect(await sendRaw(server.port, requestHead(...head) + next)).not.toContain('"status":"ok"');
      },
    );

    it('hides none after an empty answer: the connection is closed', async () => {
      const answer = await sendRaw(
        server.port,
        requestHead('POST /api/v1/auth/logout HTTP/1.1', 'Host: a', ': x'),
      );
      // The parser of Node.js refuses such a header.
      expect(answer).toMatch(front === 'node' ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 204 /);
    });

    it('may be missing: a request without a body is answered', async () => {
      const answer = await sendRaw(server.port, requestHead('DELETE /api/v1/pages/1 HTTP/1.1', 'Host: a'));
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).toContain('"auth.required"');
    });
  });

  describe('methods', () => {
    it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT'])(
      '%s on a public path is 405 with Allow',
      async (method) => {
        const target = method === 'CONNECT' ? '/x' : '/';
        const answer = await sendRaw(server.port, requestHead(`${method} ${target} HTTP/1.1`, 'Host: a'));
        expect(answer).toMatch(/^HTTP\/1\.1 405 /);
        expect(answer).toContain('\r\nAllow: GET, HEAD\r\n');
      },
    );

    it('a method that nobody knows is refused', async () => {
      const answer = await sendRaw(server.port, requestHead('FOO / HTTP/1.1', 'Host: a'));
      // The parser of Node.js knows a list of methods.
      expect(answer).toMatch(front === 'node' ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 405 /);
    });

    it.each([
      ['PATCH', '/pages', 'GET, HEAD, POST'],
      ['TRACE', '/pages/1', 'DELETE, GET, HEAD, PUT'],
      ['GET', '/sites', 'POST'],
      ['HEAD', '/pages/1/move', 'POST'],
      ['OPTIONS', '/cache', 'DELETE, GET, HEAD'],
    ])('%s %s of the API is 405, Allow: %s', async (method, path, allow) => {
      const message = requestHead(`${method} /api/v1${path} HTTP/1.1`, 'Host: a', auth, 'Connection: close');
      const answer = await sendRaw(server.port, message);
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toContain(`\r\nAllow: ${allow}\r\n`);
      expect(answer).toContain('\r\nX-IC-Build: ');
      if (method !== 'HEAD') expect(answer).toContain('"code":"common.methodNotAllowed"');
    });
  });

  describe('sizes', () => {
    it('a target above 8 KB is 414', async () => {
      for (const target of [`/${'a'.repeat(8192)}`, `/?${'a'.repeat(8192)}`]) {
        const answer = await sendRaw(server.port, requestHead(`GET ${target} HTTP/1.1`, 'Host: a'));
        expect(answer).toMatch(/^HTTP\/1\.1 414 /);
      }
      const longest = await sendRaw(
        server.port,
        requestHead(`GET /${'a'.repeat(8191)} HTTP/1.1`, 'Host: a', 'Connection: close'),
      );
      expect(longest).toMatch(/^HTTP\/1\.1 404 /);
    });

    it('a target above 8 KB below /api/v1 is 414 in JSON', async () => {
      const answer = await sendRaw(
        server.port,
        requestHead(`GET /api/v1/cache?${'a'.repeat(8192)} HTTP/1.1`, 'Host: a', auth),
      );
      expect(answer).toMatch(/^HTTP\/1\.1 414 /);
      expect(answer).toContain('\r\nX-IC-Build: ');
      expect(answer).toContain('\r\nContent-Type: application/json');
      const body: unknown = JSON.parse(answer.split('\r\n\r\n')[1] ?? '');
      expect(body).toMatchObject({ code: 'common.addressTooLong', params: { max: 8192 } });
    });

    it('headers above 16 KB, or more than 100, are 431', async () => {
      const large = requestHead('GET / HTTP/1.1', 'Host: a', `X: ${'a'.repeat(17 * 1024)}`);
      expect(await sendRaw(server.port, large)).toMatch(/^HTTP\/1\.1 431 /);
      const many = requestHead(
        'GET / HTTP/1.1',
        'Host: a',
        ...Array.from({ length: 101 }, (_, index) => `X-${index}: a`),
      );
      expect(await sendRaw(server.port, many)).toMatch(/^HTTP\/1\.1 431 /);
    });

    it('headers of 12 KB are read', async () => {
      const message = requestHead(
        'GET /healthz HTTP/1.1',
        'Host: a',
        `X: ${'a'.repeat(12 * 1024)}`,
        'Connection: close',
      );
      expect(await sendRaw(server.port, message)).toMatch(/^HTTP\/1\.1 200 /);
    });
  });

  describe('names of headers', () => {
    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('may be %s', async (name) => {
      const message = requestHead(
        'GET /api/v1/cache HTTP/1.1',
        'Host: a',
        auth,
        `${name}: x`,
        'Connection: close',
      );
      expect(await sendRaw(server.port, message)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await callOk(server, 'GET', '/cache')).not.toHaveProperty('x');
    });
  });

  describe('HEAD', () => {
    it('has the headers of GET and no body, and the connection stays usable', async () => {
      const head = requestHead('HEAD /healthz HTTP/1.1', 'Host: a');
      const last = requestHead('GET /api/v1/nothing HTTP/1.1', 'Host: a', 'Connection: close');
      const answers = await sendInTurn(server.port, [head, head, last]);
      for (const part of answers.slice(0, 2)) {
        expect(part).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nContent-Length: [1-9]\d+\r\n[\s\S]*\r\n\r\n$/);
      }
      expect(answers[2]).toMatch(/^HTTP\/1\.1 404 /);
    });

    // This library keeps heads that a client does not read, however many they are.
    it.runIf(front === 'uws' && threads === '1')(
      'ends the connection when very many come at once',
      async () => {
        const head = requestHead('HEAD / HTTP/1.1', 'Host: a');
        expect(await sendInTurn(server.port, [head, head])).toHaveLength(2);
        const answers = (await sendRaw(server.port, head.repeat(5000))).match(/HTTP\/1\.1 200 OK/g) ?? [];
        expect(answers.length).toBeLessThan(1000);
      },
    );
  });

  describe('every answer of the API', () => {
    it.each([
      ['GET', '/cache', 200],
      ['GET', '/nothing', 404],
      ['PATCH', '/pages', 405],
      ['GET', '/pages/99999', 404],
      ['DELETE', '/cache', 204],
    ])('%s %s (%i) carries the standard headers', async (method, path, status) => {
      const answer = await call(server, method, path);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-ic-build')).toBeTruthy();
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      if (status !== 204) expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    it('is JSON also outside /api/v1', async () => {
      for (const path of ['/api', '/api/', '/api/v2/pages', '/api/v1x']) {
        const response = await fetch(`${server.url}${path}`);
        expect({ path, status: response.status, body: await response.json() }).toEqual({
          path,
          status: 404,
          body: { error: expect.any(String), code: 'common.notFound', params: {} },
        });
      }
    });
  });

  describe('a large answer of the API', () => {
    const list = requestHead('GET /api/v1/snippets HTTP/1.1', 'Host: a', auth, 'Connection: close');
    beforeAll(async () => {
      for (let number = 0; number < 8; number++)
        await createSnippet(server, { content: String(number).repeat(2 ** 20) });
    });

    it('reaches a client that reads late, completely and once', async () => {
      const socket = connect(server.port, '127.0.0.1');
      socket.pause();
      socket.write(list);
      // Another request is answered while the first client has not read a byte.
      expect((await call(server, 'GET', '/cache')).status).toBe(200);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.resume();
      await new Promise((resolve) => socket.on('close', resolve));
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(head).toContain(`\r\nContent-Length: ${body.length}`);
      expect(body).toBe(JSON.stringify((await call(server, 'GET', '/snippets')).body));
    });

    it('may be aborted by the client', async () => {
      for (let round = 0; round < 5; round++) await abandon(server, list);
      expect((await call(server, 'GET', '/cache')).status).toBe(200);
    });
  });

  describe('clients that close their connection', () => {
    it('in the middle of a body cause no error', async () => {
      const head = requestHead(
        'POST /api/v1/assets HTTP/1.1',
        'Host: a',
        auth,
        'Content-Type: application/json',
        'Content-Length: 1000',
      );
      for (let round = 0; round < 20; round++) await abandon(server, `${head}{"name":`);
      expect(await callOk(server, 'GET', '/cache')).toHaveProperty('enabled');
      expect(server.log()).not.toContain('"level":50');
    });

    it('before the answer cause no error', async () => {
      for (let round = 0; round < 20; round++)
        await abandon(server, requestHead(`GET /?${round} HTTP/1.1`, 'Host: a'));
      expect(await callOk(server, 'GET', '/cache')).toHaveProperty('enabled');
    });
  });
});

async function abandon(server: TestServer, message: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write(message, () => socket.resetAndDestroy()),
    );
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}
