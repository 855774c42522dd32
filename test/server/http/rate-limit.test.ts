import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { RateLimit } from '../../../server/api/rate-limit.ts';

let now: number;
let limit: RateLimit;

beforeEach(() => {
  now = 1000;
  limit = new RateLimit({ perMinute: 120, monotonic: () => now });
});

/** The number of requests that are admitted in a row without time passing. */
function admitted(key: string, isAuthenticated = false): number {
  let count = 0;
  while (limit.take(key, isAuthenticated) === 0) count++;
  return count;
}

describe('a budget', () => {
  it('is one and a half times the limit of a minute', () => {
    expect(admitted('a')).toBe(180);
  });

  it('is ten times as large with a credential, and separate from the one without', () => {
    expect(admitted('a', true)).toBe(1800);
    expect(admitted('a', false)).toBe(180);
  });

  it('refills evenly', () => {
    admitted('a');
    expect(limit.take('a', false)).toBeCloseTo(500, 3);
    now += 499;
    expect(limit.take('a', false)).toBeCloseTo(1, 3);
    now += 1;
    expect(admitted('a')).toBe(1);
    now += 60_000;
    expect(admitted('a')).toBe(120);
  });

  it('never exceeds its maximum', () => {
    admitted('a');
    now += 3_600_000;
    expect(admitted('a')).toBe(180);
  });

  it('belongs to one client', () => {
    admitted('a');
    expect(admitted('b')).toBe(180);
  });

  it('of 1 a minute still admits one request', () => {
    limit = new RateLimit({ perMinute: 1, monotonic: () => now });
    expect(admitted('a')).toBe(1);
    now += 60_000;
    expect(admitted('a')).toBe(1);
  });

  it('of 0 limits nothing', () => {
    limit = new RateLimit({ perMinute: 0, monotonic: () => now });
    for (let index = 0; index < 10_000; index++) expect(limit.take('a', false)).toBe(0);
  });
});

it('for any times of requests, a client never gets more than rate and reserve allow', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 300 }),
      (perMinute, pauses) => {
        let time = 0;
        const spread = new RateLimit({ perMinute, monotonic: () => time });
        let count = 0;
        for (const pause of pauses) {
          time += pause;
          if (spread.take('a', false) === 0) count++;
        }
        expect(count).toBeLessThanOrEqual(Math.floor(perMinute * 1.5) + (time * perMinute) / 60_000 + 1e-6);
      },
    ),
  );
});

it('a request is admitted after the stated waiting time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), (perMinute) => {
      let time = 0;
      const waiting = new RateLimit({ perMinute, monotonic: () => time });
      let wait = 0;
      while (wait === 0) wait = waiting.take('a', false);
      time += wait;
      expect(waiting.take('a', false)).toBe(0);
    }),
  );
});

it('remembers a limited number of clients, the recently active ones', () => {
  limit = new RateLimit({ perMinute: 120, monotonic: () => now, maxClients: 1000 });
  admitted('steady');
  for (let index = 0; index < 100_000; index++) {
    limit.take(`client ${index}`, false);
    now += 0.6;
    if (index % 900 === 0) limit.take('steady', false);
  }
  expect(admitted('steady')).toBeLessThan(180);
  expect(admitted('client 0')).toBe(180);
});
