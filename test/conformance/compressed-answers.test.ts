import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createSite, createSnippet } from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** Answers of the API whose bytes are kept are sent compressed. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await createSite(server);
  const fields = [{ name: 'title', label: 'Title', type: 'text' }];
  const collection = await callOk(server, 'POST', '/collections', {
    name: 'News',
    slug: 'news',
    fields,
    public_api: true,
  });
  for (let number = 0; number < 30; number++)
    await callOk(server, 'POST', `/collections/${collection.id}/items`, {
      published: true,
      data: { title: `Entry ${number}` },
    });
  await createSnippet(server, { content: 'some text '.repeat(300) });
});
afterAll(() => server.stop());

interface Raw {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

function ask(path: string, more: Record<string, string>): Promise<Raw> {
  const headers = { authorization: `Bearer ${masterToken}`, ...more };
  return new Promise((resolve, reject) => {
    request({ port: server.port, path: `/api/v1${path}`, headers }, (answer) => {
      buffer(answer).then(
        (bytes) => resolve({ status: answer.statusCode, headers: answer.headers, bytes }),
        reject,
      );
    })
      .on('error', reject)
      .end();
  });
}

const codings = [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const;

describe.each(['/openapi.json', '/snippets', '/data/news'])('GET %s', (path) => {
  it.each(codings)(
    'is sent in %s to clients that take it, from the second time on',
    async (coding, decode) => {
      const plain = await ask(path, {});
      const known = { 'accept-encoding': coding };
      await ask(path, known);
      const packed = await ask(path, known);
      expect([packed.status, packed.headers['content-encoding'], packed.headers['vary']]).toEqual([
        200,
        coding,
        'Accept-Encoding',
      ]);
      expect(decode(packed.bytes).equals(plain.bytes)).toBe(true);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
      const again = await ask(path, {});
      expect([again.headers['content-encoding'], again.headers['vary']]).toEqual([
        undefined,
        'Accept-Encoding',
      ]);
      expect(again.bytes.equals(plain.bytes)).toBe(true);
    },
  );
});

it('each form has a tag of its own, and any of them is a 304', async () => {
  const tags: string[] = [];
  for (const coding of ['identity', 'gzip', 'br']) {
    await ask('/data/news', { 'accept-encoding': coding });
    tags.push(String((await ask('/data/news', { 'accept-encoding': coding })).headers['etag']));
  }
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) {
    for (const coding of ['identity', 'gzip', 'br']) {
      const known = await ask('/data/news', { 'accept-encoding': coding, 'if-none-match': tag });
      expect([known.status, known.bytes.length]).toEqual([304, 0]);
    }
  }
});

it('a short answer is not compressed', async () => {
  for (let count = 0; count < 3; count++)
    expect((await ask('/cache', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
});
