import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken } from '../support/api.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** A client that sends its whole body before it reads must still get the answer that refuses the body. */

const tries = Number(process.env['REFUSED_BODY_TRIES'] ?? 2);
const megabyte = 2 ** 20;
const bearer = `Bearer ${masterToken}`;
let server: TestServer;
/** Without login it takes one request at once. */
let limited: TestServer;
let readOnly: string;

beforeAll(async () => {
  server = await startServer();
  limited = await startServer({ args: ['-rate-limit', '1'] });
  readOnly = `Bearer ${await addToken(server, 'reader', false)}`;
});
afterAll(() => Promise.all([server.stop(), limited.stop()]));

interface Refused {
  readonly status: number;
  readonly method?: string;
  readonly path: string;
  readonly headers: () => Record<string, string>;
  readonly sizes: readonly number[];
}

const json = { 'Content-Type': 'application/json' };
const refusals: readonly Refused[] = [
  { status: 413, path: '/assets', headers: () => ({ ...json, Authorization: bearer }), sizes: [17] },
  { status: 401, path: '/assets', headers: () => json, sizes: [5, 17] },
  { status: 403, path: '/assets', headers: () => ({ ...json, Authorization: readOnly }), sizes: [5, 17] },
  { status: 404, path: '/nothing', headers: () => ({ ...json, Authorization: bearer }), sizes: [5, 17] },
  { status: 405, path: '/cache', headers: () => ({ ...json, Authorization: bearer }), sizes: [5, 17] },
  {
    status: 415,
    path: '/assets',
    headers: () => ({ 'Content-Type': 'text/plain', Authorization: bearer }),
    sizes: [5, 17],
  },
];

/** Sends a POST to a server and resolves with the status of the answer. */
type Client = (
  to: TestServer,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
) => Promise<number>;

const clients: readonly (readonly [string, Client])[] = [
  ['fetch', viaFetch],
  ['node:http', viaHttp],
  ['a raw socket', viaSocket],
  ['a raw socket with chunks', viaChunks],
];

describe.each(clients)('%s reads the answer to a refused body', (_name, send) => {
  it.each(refusals)('$status', async ({ status, path, headers, sizes }) => {
    for (const size of sizes) {
      const body = Buffer.alloc(size * megabyte, 0x20);
      for (let run = 0; run < tries; run++)
        expect([size, await send(server, `/api/v1${path}`, headers(), body)]).toEqual([size, status]);
    }
  });

  it('429', async () => {
    for (const size of [5, 17]) {
      const body = Buffer.alloc(size * megabyte, 0x20);
      for (let run = 0; run < tries; run++) {
        const headers = { ...json, 'X-Forwarded-For': await clientWithoutBudget() };
        expect([size, await send(limited, '/api/v1/assets', headers, body)]).toEqual([size, 429]);
      }
    }
  });
});

let addresses = 0;

/** The address of a new client that has spent its budget of one request for the next half minute. */
async function clientWithoutBudget(): Promise<string> {
  addresses++;
  const address = `203.0.113.${addresses}`;
  const headers = { 'X-Forwarded-For': address };
  expect((await fetch(`${limited.url}/api/v1/auth/status`, { headers })).status).toBe(200);
  return address;
}

describe('the server does not wait for a refused body', () => {
  it('that is announced above the bound', async () => {
    const start = head('POST', '/api/v1/nothing', 'Content-Length: 9000000000');
    expect(await sendRaw(server.port, start)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('that does not come', async () => {
    const start = head('POST', '/api/v1/nothing', 'Content-Length: 5000000');
    expect(await sendRaw(server.port, start)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('whose sender waits for the answer first', async () => {
    const start = head('POST', '/api/v1/nothing', 'Content-Length: 5000000', 'Expect: 100-continue');
    expect(await sendRaw(server.port, start, '404')).toContain('404');
  });
});

it('what follows a DELETE with chunks is never a request, although its answer is empty', async () => {
  const lines = [`Authorization: ${bearer}`, 'Transfer-Encoding: chunked'];
  const message = `${head('DELETE', '/api/v1/cache', ...lines)}2\r\n{}\r\n0\r\n\r\n`;
  const received = await sendRaw(server.port, message + head('GET', '/healthz'));
  expect(received).not.toContain('"status"');
  // Sent in two parts, the second request must find the connection closed.
  expect(await sendRaw(server.port, message)).toMatch(/^HTTP\/1\.1 204 /);
});

describe('what follows a request with chunks is never a request', () => {
  const chunked = (body: string) =>
    `${head('POST', '/api/v1/nothing', 'Transfer-Encoding: chunked', 'Content-Type: application/json')}${body}`;
  const second = head('GET', '/healthz');

  it.each([
    ['a correct body', '2\r\n{}\r\n0\r\n\r\n'],
    ['no line end after a chunk', '2\r\n{}XX0\r\n\r\n'],
    ['spaces in a size', '2 \r\n{}\r\n0\r\n\r\n'],
    ['a bare carriage return', '2\r\n{}\r\n0\r\r\n'],
    ['bare line feeds', '2\n{}\n0\n\n'],
    ['an empty size', '\r\n{}\r\n0\r\n\r\n'],
    ['an extension', '2;x=y\r\n{}\r\n0\r\n\r\n'],
    ['a trailer', '2\r\n{}\r\n0\r\nX: y\r\n\r\n'],
  ])('%s', async (_name, body) => {
    for (const message of [chunked(body) + second, chunked(body) + second + second]) {
      const received = await sendRaw(server.port, message);
      expect(received).not.toContain('"status"');
      expect(received.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThanOrEqual(1);
    }
  });
});

async function viaFetch(
  to: TestServer,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<number> {
  const response = await fetch(`${to.url}${path}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  await response.text();
  return response.status;
}

function viaHttp(
  to: TestServer,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { ...headers, 'Content-Length': body.length } };
    const sent = request(`${to.url}${path}`, options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function viaSocket(
  to: TestServer,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<number> {
  const start = headOf(path, { ...headers, 'Content-Length': String(body.length) });
  return statusIn(await sendRaw(to.port, Buffer.concat([start, body]), '\r\n\r\n'));
}

async function viaChunks(
  to: TestServer,
  path: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<number> {
  const start = headOf(path, { ...headers, 'Transfer-Encoding': 'chunked' });
  const size = Buffer.from(`${body.length.toString(16)}\r\n`);
  const message = Buffer.concat([start, size, body, Buffer.from('\r\n0\r\n\r\n')]);
  return statusIn(await sendRaw(to.port, message, '\r\n\r\n'));
}

function headOf(path: string, headers: Record<string, string>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(head('POST', path, ...lines));
}

function statusIn(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

function head(method: string, path: string, ...lines: readonly string[]): string {
  return requestHead(`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines);
}
