import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenEventStreams } from '../../../server/api/open-event-streams.ts';
import { EventStream, eventText } from '../../../server/http/body/events.ts';
import type { HttpServer } from '../../../server/http/exchange/index.ts';
import { asyncApi } from '../../support/api-handler.ts';
import { startFront } from '../../support/front.ts';
import { requestHead } from '../../support/raw.ts';
import { ManualTimers } from '../../support/receiver.ts';

/** Event streams whose caller may not read them any more. */

/** Tokens by ID that are still there. */
const valid = new Set<number>();
let serves = true;
const timers = new ManualTimers();
const streams = new OpenEventStreams({
  isStillValid: async (actor) => {
    if (actor.kind === 'master') throw new Error('the database is closed');
    return actor.kind === 'token' && valid.has(actor.id);
  },
  serves: () => serves,
  later: timers.later,
});
const tokenActor = (id: number) => ({ kind: 'token', id, name: 'a', canWrite: false }) as const;
const limit = { path: '/changes', most: 10 };

describe('a stream that has ended', () => {
  it('sends none of the events that were ready', async () => {
    valid.add(1);
    const ready = new EventStream(async function* () {
      yield* ['a', 'b', 'c'];
    });
    const received: string[] = [];
    for await (const text of streams.admit(tokenActor(1), ready, limit).open(new AbortController().signal)) {
      received.push(text);
      valid.delete(1);
      await streams.endInvalid();
    }
    expect(received).toEqual(['a']);
    expect(timers.planned).toEqual([]);
  });

  it.each([
    ['its caller cannot be looked up', { kind: 'master' } as const, true],
    ['the node may not serve', tokenActor(2), false],
  ])('may have ended because %s', async (_name, actor, isServing) => {
    valid.add(2);
    serves = isServing;
    const endless = new EventStream(async function* (signal) {
      yield 'a';
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const reader = streams
      .admit(actor, endless, limit)
      .open(new AbortController().signal)
      [Symbol.asyncIterator]();
    await reader.next();
    const end = reader.next();
    timers.fire();
    expect((await end).done).toBe(true);
    serves = true;
    await expect.poll(() => timers.planned).toEqual([]);
  });

  it('that was discarded gives its place back, and so does one that was refused', async () => {
    const discarded: number[] = [];
    const make = (number: number) =>
      new EventStream(() => expect.unreachable(), { discard: () => discarded.push(number) });
    const admitted = streams.admit(tokenActor(3), make(1), { ...limit, most: 1 });
    expect(() => streams.admit(tokenActor(4), make(2), { ...limit, most: 1 })).toThrow();
    admitted.discard();
    streams.admit(tokenActor(4), make(3), { ...limit, most: 1 }).discard();
    expect(discarded).toEqual([2, 1, 3]);
    expect(timers.planned).toEqual([]);
  });
});

describe.each([
  ['uws', 1],
  ['uws', 2],
  ['node', 1],
] as const)('over %s with %i threads', (choice, threads) => {
  const over = new AbortController();
  const big = eventText({ data: 'x'.repeat(200_000) });
  let made = 0;
  let hasEnded = false;
  let front: HttpServer;
  let port: number;

  beforeAll(async () => {
    ({ front, port } = await startFront({
      choice,
      threads,
      api: asyncApi(async () => ({
        status: 200,
        headers: [],
        body: undefined,
        events: new EventStream(
          async function* () {
            try {
              for (;;) {
                made += 1;
                yield big;
              }
            } finally {
              hasEnded = true;
            }
          },
          { over: over.signal },
        ),
      })),
    }));
  });
  afterAll(() => front.close(0));

  it('a client that does not read loses its connection when the stream is over', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write(requestHead('GET /api/v1/events HTTP/1.1', 'Host: a'));
    let before = -1;
    while (made === 0 || made !== before) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(hasEnded).toBe(false);
    over.abort();
    await expect.poll(() => hasEnded).toBe(true);
    const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
    socket.resume();
    await closed;
    expect(made).toBe(before);
  });
});
