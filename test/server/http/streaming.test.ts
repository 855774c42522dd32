import { once } from 'node:events';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FilePart } from '../../../server/base/file-part.ts';
import { EventStream, eventText } from '../../../server/http/body/events.ts';
import { StreamedBody } from '../../../server/http/body/streamed.ts';
import { BufferPool } from '../../../server/http/exchange/buffer-pool.ts';
import type { HttpServer } from '../../../server/http/exchange/index.ts';
import { transportNames } from '../../../server/http/exchange/transport.ts';
import { asyncApi } from '../../support/api-handler.ts';
import { startFront } from '../../support/front.ts';
import { requestHead } from '../../support/raw.ts';
import { makeTempDir } from '../../support/server.ts';

const bytes = Buffer.alloc(9_000_000, 'The quick brown fox. ');
let folder: string;
let file: string;
beforeAll(() => {
  folder = makeTempDir();
  file = join(folder, 'file');
  writeFileSync(file, bytes);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function part(start: number, length: number, path = file): Promise<FilePart> {
  return new FilePart(await open(path), start, length);
}

describe('a part of a file', () => {
  it('is the same as a stream and by position', async () => {
    const range = fc.tuple(fc.nat({ max: 300_000 }), fc.nat({ max: 300_000 }));
    await fc.assert(
      fc.asyncProperty(range, fc.integer({ min: 5_000, max: 100_000 }), async ([start, length], size) => {
        const expected = bytes.subarray(start, start + length);
        expect(Buffer.compare(await buffer(await part(start, length)), expected)).toBe(0);
        const read = await part(start, length);
        const pieces: Buffer[] = [];
        for (let position = 0; position < length; ) {
          const target = Buffer.alloc(size);
          const count = await read.readAt(target, position);
          pieces.push(target.subarray(0, count));
          position += count;
        }
        expect(await read.readAt(Buffer.alloc(10), length)).toBe(0);
        read.destroy();
        await once(read, 'close');
        expect(Buffer.compare(Buffer.concat(pieces), expected)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});

describe.each(transportNames)('a file as an answer over %s', (choice) => {
  let front: HttpServer;
  let port: number;
  const parts: FilePart[] = [];
  beforeAll(async () => {
    ({ front, port } = await startFront({
      choice,
      delivery: async ({ path }) => {
        const body = await part(0, bytes.length, join(folder, path.slice(1)));
        parts.push(body);
        return { status: '200 OK', headers: [['X-Test', 'once']], body: new StreamedBody(body, body.length) };
      },
    }));
  });
  afterAll(() => front.close(0));

  /** The whole connection, read in small pieces with pauses. */
  async function readSlowly(path: string): Promise<Buffer> {
    const socket = connect(port, '127.0.0.1');
    socket.write(requestHead(`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close'));
    const pieces: Buffer[] = [];
    let left = bytes.length;
    for await (const piece of socket) {
      if (pieces.length === 0) left += piece.indexOf('\r\n\r\n') + 4;
      pieces.push(piece);
      left -= piece.length;
      if (pieces.length % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (left <= 0) break;
    }
    return Buffer.concat(pieces);
  }

  it('arrives whole at slow readers at the same time, with one head', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => readSlowly('/file')));
    for (const answer of answers) {
      const end = answer.indexOf('\r\n\r\n') + 4;
      expect(
        answer
          .subarray(0, end)
          .toString()
          .match(/X-Test: once/g),
      ).toHaveLength(1);
      expect(Buffer.compare(answer.subarray(end), bytes)).toBe(0);
    }
    for (const read of parts.splice(0)) await expect.poll(() => read.closed).toBe(true);
  });

  it('ends with the connection if the file has become shorter', async () => {
    writeFileSync(join(folder, 'cut'), bytes);
    const socket = connect(port, '127.0.0.1');
    socket.write(requestHead('GET /cut HTTP/1.1', 'Host: a'));
    await once(socket, 'readable');
    truncateSync(join(folder, 'cut'), 1000);
    expect((await buffer(socket)).length).toBeLessThan(bytes.length);
    for (const read of parts.splice(0)) await expect.poll(() => read.closed).toBe(true);
  });

  it('is closed when its reader goes', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(requestHead('GET /file HTTP/1.1', 'Host: a'));
    await once(socket, 'readable');
    expect(parts.map(({ destroyed }) => destroyed)).toEqual([false]);
    socket.destroy();
    for (const read of parts.splice(0)) await expect.poll(() => read.closed).toBe(true);
  });
});

it('a pool lends each buffer to one user at a time, in the order of asking', async () => {
  const pool = new BufferPool({ size: 10, count: 2 });
  const lent = new Set<Uint8Array>();
  const seen = new Set<Uint8Array>();
  const order: number[] = [];
  await Promise.all(
    [0, 1, 2, 3, 4, 5].map((user) =>
      pool.use(async (buffer) => {
        expect(lent.has(buffer)).toBe(false);
        lent.add(buffer);
        seen.add(buffer);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(user);
        lent.delete(buffer);
      }),
    ),
  );
  expect([seen.size, order]).toEqual([2, [0, 1, 2, 3, 4, 5]]);
  await expect(pool.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await pool.use(async (buffer) => buffer.length)).toBe(10);
});

describe.each([
  ['uws', 1],
  ['uws', 2],
  ['node', 1],
] as const)('events over %s with %i threads', (choice, threads) => {
  /** More than the system keeps for a connection. */
  const eventCount = 400;
  const events = Array.from({ length: eventCount }, (_, id) =>
    eventText({ id, data: `${id} `.repeat(20_000) }),
  );
  let front: HttpServer;
  let port: number;
  let made = 0;
  let hasEnded = false;

  beforeAll(async () => {
    ({ front, port } = await startFront({
      choice,
      threads,
      api: asyncApi(async () => ({
        status: 200,
        headers: [['X-Test', 'once']],
        body: undefined,
        events: new EventStream(async function* (signal) {
          made = 0;
          hasEnded = false;
          try {
            for (const event of events) {
              if (signal.aborted) return;
              made += 1;
              yield event;
            }
          } finally {
            hasEnded = true;
          }
        }),
      })),
    }));
  });
  afterAll(() => front.close(0));

  async function ask(): Promise<Readable> {
    const { promise, resolve } = Promise.withResolvers<Readable>();
    request({ port, path: '/api/v1/events', agent: false }, resolve).end();
    return promise;
  }

  it('wait for a reader that does not read, and reach it whole', async () => {
    const answer = await ask();
    // Made are only as many as the buffers of the connection take.
    let before = -1;
    while (made !== before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(made).toBeLessThan(eventCount);
    const received = await text(answer);
    // A comment may stand between two events.
    expect(received.replaceAll(/^:\n\n/gm, '') === events.join('')).toBe(true);
    expect(hasEnded).toBe(true);
  });

  it('end when their reader goes', async () => {
    const answer = await ask();
    answer.on('error', () => {});
    answer.destroy();
    await expect.poll(() => hasEnded).toBe(true);
    expect(made).toBeLessThan(eventCount);
  });
});
