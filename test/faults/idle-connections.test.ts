import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { requestHead, sendRaw } from '../support/raw.ts';
import { startServer } from '../support/server.ts';

/** Nearly as many as the server accepts: a few are left for others. */
const idleConnections = 9900;
const atOnce = 300;

const message = requestHead('GET /healthz HTTP/1.1', 'Host: a', 'Connection: close');

it.each([
  ['node', ['-header-timeout', '120']],
  // Closes silent connections after 10 s, whatever it is told.
  ['uws', []],
])('10,000 idle connections keep nobody waiting: -front %s', async (front, times) => {
  const server = await startServer({ args: ['-front', front, ...times] });
  const idle: Socket[] = [];
  try {
    while (idle.length < idleConnections)
      idle.push(...(await Promise.all(Array.from({ length: atOnce }, () => open(server.port)))));
    for (let round = 0; round < 50; round++)
      expect(await sendRaw(server.port, message)).toMatch(/^HTTP\/1\.1 200 /);
    if (front === 'node')
      expect(idle.filter(({ readyState }) => readyState === 'open')).toHaveLength(idleConnections);
  } finally {
    for (const socket of idle) socket.destroy();
    await server.stop();
  }
});

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject).resume();
  });
}
