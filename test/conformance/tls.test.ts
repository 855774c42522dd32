import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { transportNames } from '../../server/http/exchange/transport.ts';
import { startServer } from '../support/server.ts';
import { administrator } from '../support/session.ts';

/** A self-signed certificate for localhost, made for this test. */
const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/tls/${name}.pem`, import.meta.url));

it.each(transportNames)('-tls-cert and -tls-key serve HTTPS directly: -front %s', async (front) => {
  const files = ['-tls-cert', fixture('cert'), '-tls-key', fixture('key')];
  const server = await startServer({ args: ['-front', front, ...files] });
  try {
    expect(server.firstLine).toMatch(/ listening on https:\/\/127\.0\.0\.1:\d+$/);
    expect(JSON.parse(await get(server.port, '/healthz'))).toMatchObject({ status: 'ok' });
    expect(JSON.parse(await get(server.port, '/api/v1/pages'))).toMatchObject({ code: 'auth.required' });
    expect(await cookieOfSetup(server.port)).toMatch(/^ic_session=[\w-]{43}; .*; HttpOnly; .*; Secure$/);
  } finally {
    await server.stop();
  }
});

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
