import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StreamedBody } from '../../../server/http/body/streamed.ts';
import type { HttpServer } from '../../../server/http/exchange/index.ts';
import { asyncApi } from '../../support/api-handler.ts';
import { startFront } from '../../support/front.ts';

const bytes = Buffer.alloc(12_000_000, 'A part of an archive, whose length nobody knows yet. ');
const partBytes = 100_003;

describe.each([
  ['uws', 1],
  ['uws', 2],
  ['node', 1],
] as const)('a streamed answer of the API over %s with %i threads', (choice, threads) => {
  let front: HttpServer;
  let port: number;
  let made = 0;
  let source: Readable;

  function* parts(failAfter: number): Generator<Buffer> {
    made = 0;
    for (let position = 0; position < bytes.length; position += partBytes) {
      if (position > failAfter) throw new Error('the source fails');
      made += 1;
      yield bytes.subarray(position, position + partBytes);
    }
  }

  beforeAll(async () => {
    ({ front, port } = await startFront({
      choice,
      threads,
      api: asyncApi(async (request) => {
        const { path, method } = request;
        if (method === 'POST') await request.body(100);
        source = Readable.from(parts(path.endsWith('/broken') ? 300_000 : Number.POSITIVE_INFINITY));
        const length = path.endsWith('/known') ? bytes.length : undefined;
        return {
          status: 200,
          headers: [['X-Test', 'once']],
          body: undefined,
          stream: new StreamedBody(source, length),
        };
      }),
    }));
  });
  afterAll(() => front.close(0));

  async function ask(name: string, method = 'GET'): Promise<IncomingMessage> {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    request({ port, path: `/api/v1/${name}`, method, agent: false }, resolve).end(
      method === 'POST' ? 'a' : undefined,
    );
    return promise;
  }

  it.each([
    ['unknown', 'GET', undefined],
    ['known', 'GET', String(bytes.length)],
    ['unknown', 'POST', undefined],
  ])('arrives whole at a reader that waits first (length %s, %s)', async (name, method, length) => {
    const answer = await ask(name, method);
    let before = -1;
    while (made !== before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(made).toBeLessThan(bytes.length / partBytes);
    expect(answer.headers['content-length']).toBe(length);
    expect(Buffer.compare(await buffer(answer), bytes)).toBe(0);
    expect(answer.complete).toBe(true);
  });

  it('is cut off, and seen to be, when its source fails', async () => {
    const answer = await ask('broken');
    await expect(buffer(answer)).rejects.toThrow();
    expect(answer.complete).toBe(false);
  });

  it('closes its source when the reader goes, and for HEAD', async () => {
    const answer = await ask('unknown');
    answer.on('error', () => {});
    answer.destroy();
    await expect.poll(() => source.destroyed).toBe(true);
    const head = await ask('known', 'HEAD');
    head.resume();
    await once(head, 'end');
    expect(head.headers['content-length']).toBe(String(bytes.length));
    expect(source.destroyed).toBe(true);
  });
});
