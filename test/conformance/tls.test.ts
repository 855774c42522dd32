import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { possibleFronts } from '../support/possible-fronts.ts';
import { requestHead } from '../support/raw.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator } from '../support/session.ts';

/** A self-signed certificate for localhost, made for this test. */
const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/tls/${name}.pem`, import.meta.url));

const files = ['-tls-cert', fixture('cert'), '-tls-key', fixture('key')];

describe.each(possibleFronts)('-front %s -tls-cert and -tls-key', (front) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ args: ['-front', front, ...files] });
  });
  afterAll(() => server.stop());

  it('serve HTTPS directly', async () => {
    expect(server.firstLine).toMatch(/ listening on https:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(await get(server.port, '/healthz'))).toMatchObject({ status: 'ok' });
    expect(JSON.parse(await get(server.port, '/api/v1/pages'))).toMatchObject({ code: 'auth.required' });
    expect(await cookieOfSetup(server.port)).toMatch(
      /^__Host-ic_session=[\w-]{43}; .*; HttpOnly; .*; Secure$/,
    );
  });

  it('serve it wherever its records are cut', async () => {
    const cutting = cutAtEveryByte(server.port);
    await once(cutting.listen(0, '127.0.0.1'), 'listening');
    // Type boundary: a server that listens on a port has an address of this form.
    const { port } = cutting.address() as AddressInfo;
    const ca = readFileSync(fixture('cert'));
    const socket = connectTls({ port, host: '127.0.0.1', ca }).setEncoding('latin1');
    const message = (...lines: string[]) => requestHead('GET /healthz HTTP/1.1', 'Host: a', ...lines);
    socket.write(message() + message() + message('Connection: close'));
    let answers = '';
    for await (const part of socket) answers += part;
    cutting.close();
    expect(answers.match(/"status":"ok"/g)).toHaveLength(3);
  });
});

/** Passes on what clients send in packets of one byte each. */
function cutAtEveryByte(port: number): Server {
  return createServer((client) => {
    const server = connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => {});
    client.on('error', () => {}).on('close', () => server.destroy());
    server.pipe(client);
    client.on('data', async (bytes: Buffer) => {
      client.pause();
      for (const byte of bytes) {
        server.write(Buffer.of(byte));
        await nextTurn();
      }
      client.resume();
    });
  });
}

function cookieOfSetup(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path: '/api/v1/auth/setup',
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        ca: readFileSync(fixture('cert')),
        agent: false,
      },
      (response) => {
        response.resume();
        resolve(response.headers['set-cookie']?.join() ?? '');
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify(administrator));
  });
}

function get(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, ca: readFileSync(fixture('cert')), agent: false };
    const call = request(options, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve(text);
    });
    call.on('error', reject);
    call.end();
  });
}
