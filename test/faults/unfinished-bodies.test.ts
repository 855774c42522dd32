import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { requestHead } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** Bodies that are sent in part and never end. */

const sentBytes = 15 * 2 ** 20;
/** The bound of all bodies together, and what the process needs to receive them. */
const maxGrowthMb = 256 + 150;
let server: TestServer;
let sockets: Socket[];

beforeEach(async () => {
  server = await startServer();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop();
});

it.each([
  ['callers with a token', `Authorization: Bearer ${masterToken}`, '/assets', '503', '"common.busy"'],
  ['strangers', 'X: y', '/assets', '401', '"auth.required"'],
  ['strangers on a public route', 'X: y', '/auth/login', '413', '"common.tooLarge"'],
])('60 of 15 MB from %s do not fill the memory', async (_name, header, path, status, code) => {
  const before = server.peakMb() ?? 0;
  const head = requestHead(
    `POST /api/v1${path} HTTP/1.1`,
    'Host: a',
    header,
    'Content-Type: application/json',
    `Content-Length: ${sentBytes + 1000}`,
  );
  const message = Buffer.concat([Buffer.from(head), Buffer.alloc(sentBytes, 0x20)]);
  sockets = Array.from({ length: 60 }, () => connect(server.port, '127.0.0.1'));
  const answers = sockets.map((socket) => firstBytes(socket, message));
  const refusal = await Promise.any(answers);
  expect(refusal).toContain(`HTTP/1.1 ${status} `);
  expect(refusal).toContain(code);
  expect(await callOk(server, 'GET', '/cache')).toHaveProperty('enabled');
  expect((await call(server, 'POST', '/assets', { body: { name: '', kind: 'css' } })).status).toBe(400);
  expect((server.peakMb() ?? 0) - before).toBeLessThan(maxGrowthMb);
});

/** Sends a message and resolves with the first bytes of the answer; rejects if the connection ends first. */
function firstBytes(socket: Socket, message: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('data', (chunk) => resolve(String(chunk)));
    socket.on('error', reject);
    socket.on('close', reject);
    socket.write(message);
  });
}
