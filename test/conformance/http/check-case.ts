import { expect } from 'vitest';
import { type AnswerPattern, type RawAnswer, RawConnection } from '../../support/http-answers.ts';
import type { Barrier } from './barrier.ts';
import type { HttpCase } from './case.ts';
import { health } from './messages.ts';

/** Runs a case, and its variants with a further request behind it. */
export async function checkCase(
  port: number,
  barrier: Barrier,
  { send, body, answers, connection: after }: Omit<HttpCase, 'name' | 'rule'>,
): Promise<void> {
  const isHead = (index: number): boolean => answers[index]?.isHead === true;
  const connection = await RawConnection.open(port, { isHead });
  connection.write(send);
  if (body !== undefined) await sendWhenContinued(connection, body);
  if (after === 'waits') await expectSilence(barrier, connection);
  expectAnswers((await connection.answers(answers.length)).answers, answers);
  if (after === 'closes') {
    expect(await connection.isClosed(), 'the connection closes').toBe(true);
    expect(connection.received().answers).toHaveLength(answers.length);
    await expectNoFurther(port, send, answers);
  } else if (after !== 'waits') {
    await expectNext(connection, answers.length, after);
  }
  connection.close();
}

async function sendWhenContinued(connection: RawConnection, body: string): Promise<void> {
  await connection.until(() => connection.text !== '');
  expect(connection.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  connection.write(body);
}

/** Nothing more comes, also for a further request. */
async function expectSilence(barrier: Barrier, connection: RawConnection): Promise<void> {
  await barrier.wait();
  connection.write(health('X: smuggled'));
  await barrier.wait();
  expect(connection.hasEnded).toBe(false);
}

/** The next request on the connection is read as one: what came before was read to its end. */
async function expectNext(
  connection: RawConnection,
  count: number,
  after: HttpCase['connection'],
): Promise<void> {
  connection.write(health('Connection: close'));
  const { answers } = await connection.answers(count + 1);
  if (after === 'any' && answers.length === count && connection.hasEnded) return;
  expect(answers[count]?.body, 'the next request is answered').toContain('"status":"ok"');
}

/** A request that comes with what is refused may be a smuggled one. */
async function expectNoFurther(
  port: number,
  send: string,
  patterns: readonly AnswerPattern[],
): Promise<void> {
  const connection = await RawConnection.open(port, { isHead: (index) => patterns[index]?.isHead === true });
  connection.write(send + health('X: smuggled'));
  expect(await connection.isClosed(), 'the connection closes with a further request').toBe(true);
  const { answers } = connection.received();
  expect(answers.length).toBeLessThanOrEqual(patterns.length);
  expectAnswers(answers, patterns.slice(0, answers.length));
}

export function expectAnswers(
  answers: readonly RawAnswer[],
  patterns: readonly AnswerPattern[],
  message?: string,
): void {
  expect(
    answers.map(({ status }) => status),
    message,
  ).toEqual(
    patterns.map(({ status }) => expect.toSatisfy((value: number) => status.includes(value), String(status))),
  );
  for (const [index, { has, hasNot }] of patterns.entries()) {
    const answer = answers[index];
    const text = `${answer?.head}\r\n\r\n${answer?.body}`;
    if (has !== undefined) expect(text, message).toMatch(has);
    if (hasNot !== undefined) expect(text, message).not.toMatch(hasNot);
  }
}
