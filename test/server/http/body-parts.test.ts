import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyBuilder, BodyParts, computeByteLength } from '../../../server/http/body/parts.ts';
import type { HttpServer } from '../../../server/http/exchange/index.ts';
import { transportNames } from '../../../server/http/exchange/transport.ts';
import { asyncApi } from '../../support/api-handler.ts';
import { startFront } from '../../support/front.ts';

/** Parts of different sizes, some larger than what a system takes at once, together 24 MB. */
const parts = [1, 0, 3_000_000, 70_000, ...Array.from({ length: 300 }, () => 70_001)].map((size, index) =>
  Buffer.alloc(size, `${index} `),
);
const whole = Buffer.concat(parts);

describe('a body in parts', () => {
  const body = new BodyParts([Buffer.from('ab'), Buffer.from(''), Buffer.from('cde')]);

  it.each([
    [0, 'ab'],
    [1, 'b'],
    [2, 'cd'],
    [4, 'e'],
    [5, ''],
  ])('continues from byte %i with %j', (position, expected) => {
    expect(Buffer.from(body.from(position, 2)).toString()).toBe(expected);
  });

  it('has the length of all of them', () => {
    expect([body.length, computeByteLength(body), computeByteLength('ä')]).toEqual([5, 5, 2]);
    expect(Buffer.from(body.joined()).toString()).toBe('abcde');
    expect(new BodyParts([]).from(0, 10)).toHaveLength(0);
  });
});

describe('a body that is collected', () => {
  it.each([
    ['nothing', ''],
    ['a short text', 'aä€😀'],
    ['a text at the end of a block', `${'x'.repeat(64 * 2 ** 10 - 1)}ä`],
    ['a text of several blocks', `x${'😀'.repeat(2 ** 21)}`],
  ])('is %s', (_name, text) => {
    const body = new BodyBuilder();
    for (const piece of text.match(/.{1,50000}/gu) ?? []) body.add(piece);
    expect(Buffer.from(body.finish().joined()).toString() === text).toBe(true);
  });
});

describe.each(transportNames)('an answer in parts with -front %s', (choice) => {
  let front: HttpServer;
  let port: number;
  beforeAll(async () => {
    ({ front, port } = await startFront({
      choice,
      api: asyncApi(async ({ path }) => ({
        status: 200,
        headers: [],
        body: new BodyParts(path.endsWith('/empty') ? [] : parts),
      })),
    }));
  });
  afterAll(() => front.close(0));

  const ask = (method: string, path = '/api/v1/pages', headers: Record<string, string> = {}) =>
    new Promise<{ readonly length: string | undefined; readonly bytes: Buffer }>((resolve, reject) => {
      const sent = request({ port, method, path, headers, agent: false }, (answer) => {
        buffer(answer).then((bytes) => resolve({ length: answer.headers['content-length'], bytes }), reject);
      });
      sent.on('error', reject).end();
    });

  it('arrives whole with its length, also at several clients at the same time', async () => {
    for (const { length, bytes } of await Promise.all([ask('GET'), ask('GET'), ask('GET')])) {
      expect(length).toBe(String(whole.length));
      expect(bytes.equals(whole)).toBe(true);
    }
  });

  it('arrives whole at a client that stops reading for a while', async () => {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      request({ port, path: '/api/v1/pages', agent: false }, (answer) => {
        answer.once('readable', async () => {
          // Other requests are answered while this one waits for its reader.
          await ask('GET', '/api/v1/empty');
          resolve(buffer(answer));
        });
      })
        .on('error', reject)
        .end();
    });
    expect(bytes.equals(whole)).toBe(true);
  });

  it('has the same length for HEAD, without a body', async () => {
    expect(await ask('HEAD')).toEqual({ length: String(whole.length), bytes: Buffer.alloc(0) });
  });

  it('may be empty', async () => {
    expect(await ask('GET', '/api/v1/empty')).toEqual({ length: '0', bytes: Buffer.alloc(0) });
  });

  it('is sent whole before a connection that must be closed is closed', async () => {
    const { bytes } = await ask('GET', '/api/v1/pages', { 'transfer-encoding': 'chunked' });
    expect(bytes.equals(whole)).toBe(true);
  });

  it('ends nothing but itself when its client goes away', async () => {
    await new Promise<void>((resolve, reject) => {
      const sent = request({ port, path: '/api/v1/pages', agent: false }, (answer) => {
        answer.once('data', () => {
          answer.destroy();
          resolve();
        });
      });
      sent.on('error', reject).end();
    });
    expect((await ask('GET')).bytes.equals(whole)).toBe(true);
  });
});
