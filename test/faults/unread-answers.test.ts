import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { transportNames } from '../../server/http/exchange/transport.ts';
import { callOk } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { requestHead } from '../support/raw.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Clients that send many requests and read no answer. */

/** How much more memory the server may have than before, for 10 such clients. */
const maxGrowthMb = 80;
let server: TestServer;
let tag: string;

async function start(front: string): Promise<void> {
  server = await startServer({ args: ['-front', front] });
  const site = await createSite(server);
  await callOk(server, 'PUT', `/pages/${site}`, { html: 'x'.repeat(200_000), published: true });
  await cached();
  tag = (await cached()).headers.get('etag') ?? '';
}
afterEach(() => server.stop());

async function cached(): Promise<Response> {
  const response = await fetch(`${server.url}/`);
  await response.text();
  return response;
}

const host = () => `Host: 127.0.0.1:${server.port}`;

const floods: readonly (readonly [name: string, megabytes: number, request: () => string])[] = [
  ['a cached page', 2, () => requestHead('GET / HTTP/1.1', host())],
  ['the head of a page', 4, () => requestHead('HEAD / HTTP/1.1', host())],
  ['a page that has not changed', 8, () => requestHead('GET / HTTP/1.1', host(), `If-None-Match: ${tag}`)],
  ['the API', 2, () => requestHead('GET /api/v1/auth/status HTTP/1.1', host())],
];

const runs = floods.flatMap((flood) => transportNames.map((front) => [front, ...flood] as const));

describe.each(runs)(
  'with -front %s, requests for %s whose answers are not read',
  (front, _name, megabytes, request) => {
    it('are answered as far as the system takes them, and others meanwhile', async () => {
      await start(front);
      const one = request();
      const requests = Buffer.from(one.repeat((megabytes * 2 ** 20) / one.length));
      const before = server.peakMb() ?? 0;
      const sockets = Array.from({ length: 10 }, () => floodedSocket(requests));
      for (let round = 0; round < 50; round++) expect((await cached()).headers.get('x-cache')).toBe('HIT');
      expect((server.peakMb() ?? 0) - before).toBeLessThan(maxGrowthMb);
      for (const socket of sockets) socket.destroy();
    });
  },
);

it.each(transportNames)('answers that are read are all sent: -front %s', async (front) => {
  await start(front);
  const count = 2000;
  const socket = connect(server.port, '127.0.0.1');
  socket.write(requestHead('GET /healthz HTTP/1.1', host()).repeat(count));
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    text += chunk;
    if (text.split('"status":"ok"').length > count) break;
  }
  expect(text.split('HTTP/1.1 200 OK').length - 1).toBe(count);
});

function floodedSocket(requests: Buffer): Socket {
  const socket = connect(server.port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(requests);
  return socket;
}
