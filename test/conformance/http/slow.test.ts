import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../../support/api.ts';
import { createSite } from '../../support/content.ts';
import { withPossibleFronts } from '../../support/possible-fronts.ts';
import { sendRaw } from '../../support/raw.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { slowCases } from './cases/slow.ts';
import { expectAnswers } from './check-case.ts';
import { withLine } from './messages.ts';
import { sendSlowly } from './send-slowly.ts';
import { uwsExceptions } from './uws-exceptions.ts';

/** Heads and bodies that never end, on each front: many connections of each case at the same time. */

const fronts = [
  // Heads have 1 s, silence too.
  ['node', '1', ['-header-timeout', '1', '-keep-alive', '1']],
  // Has 10 s built in.
  ['uws', '1', []],
  ['uws', '2', []],
] as const;

const exceptionOf = new Map(uwsExceptions.flatMap((one) => one.cases.map((name) => [name, one] as const)));

/** All fronts at the same time, because each test would wait for the built-in times again. */
const running = new Map<string, Awaited<ReturnType<typeof sendSlowly>>>();

beforeAll(async () => {
  await Promise.all(
    withPossibleFronts(fronts).map(async ([front, threads, times]) => {
      const args = ['-front', front, '-front-threads', threads, '-body-timeout', '1', ...times];
      const server = await startServer({ args });
      try {
        await prepare(server);
        running.set(front + threads, await sendSlowly(server.port, slowCases));
      } finally {
        await server.stop();
      }
    }),
  );
});

afterAll(() => running.clear());

describe.each(withPossibleFronts(fronts))('-front %s -front-threads %s', (front, threads) => {
  it.each(slowCases.map((one) => [one.name, one] as const))('%s', (name, one) => {
    const { answers } = front === 'uws' ? (exceptionOf.get(name) ?? one) : one;
    const outcomes = running.get(front + threads)?.byCase.get(name) ?? [];
    expect(outcomes.length).toBeGreaterThan(1);
    for (const outcome of outcomes) {
      expectAnswers(outcome.answers, answers);
      expect(outcome.hasEnded, 'the connection closes').toBe(true);
    }
  });

  it('others are answered meanwhile', () => {
    const meanwhile = running.get(front + threads)?.meanwhile ?? [];
    expect(meanwhile.length).toBeGreaterThan(1);
    for (const answer of meanwhile) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

/** A page that every thread has at hand. */
async function prepare(server: TestServer): Promise<void> {
  const site = await createSite(server, { domains: 'a' });
  await callOk(server, 'PUT', `/pages/${site}`, { html: '<p>At hand' });
  for (let count = 0; count < 4; count++)
    await sendRaw(server.port, withLine('GET / HTTP/1.1', 'Connection: close'));
}
