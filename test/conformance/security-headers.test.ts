import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** The headers of `all`: nosniff and Referrer-Policy are on every answer, once. */

let server: TestServer;
let pageId: number;

beforeAll(async () => {
  server = await startServer();
  pageId = await createPage(server, await createSite(server), { published: true });
});
afterAll(() => server.stop());

it.each([
  ['a page', 'GET / HTTP/1.1', 200],
  ['a missing page', 'GET /nothing HTTP/1.1', 404],
  ['a reserved address', 'GET /media/x HTTP/1.1', 404],
  ['robots.txt', 'GET /robots.txt HTTP/1.1', 200],
  ['the health check', 'GET /healthz HTTP/1.1', 200],
  ['the API', 'GET /api/v1/openapi.json HTTP/1.1', 200],
  ['HEAD of the API', 'HEAD /api/v1/openapi.json HTTP/1.1', 200],
  ['a refusal of the API', 'GET /api/v1/pages HTTP/1.1', 401],
  ['an unknown address of the API', 'GET /api/x HTTP/1.1', 404],
  ['a method that pages do not have', 'POST / HTTP/1.1', 405],
])('%s', async (_name, line, status) => {
  const answer = await sendRaw(
    server.port,
    requestHead(line, 'Host: x', 'Content-Length: 0', 'Connection: close'),
  );
  const [head = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(valuesOf(head, 'X-Content-Type-Options')).toEqual(['nosniff']);
  expect(valuesOf(head, 'Referrer-Policy')).toEqual(['strict-origin-when-cross-origin']);
});

it('a document from the API keeps its own, stricter policy', async () => {
  const preview = await fetch(`${server.url}/api/v1/pages/${pageId}/render`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  expect(preview.headers.get('referrer-policy')).toBe('no-referrer');
});

describe('an answer without a body', () => {
  it('has them too', async () => {
    const { headers, status } = await call(server, 'DELETE', '/cache');
    expect(status).toBe(204);
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  });
});

function valuesOf(head: string, name: string): string[] {
  return head.split('\r\n').flatMap((line) => {
    const [key = '', value = ''] = line.split(': ', 2);
    return key.toLowerCase() === name.toLowerCase() ? [value] : [];
  });
}
