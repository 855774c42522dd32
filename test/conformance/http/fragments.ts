import { expect } from 'vitest';
import { type AnswerPattern, RawConnection } from '../../support/http-answers.ts';
import type { Barrier } from './barrier.ts';
import type { HttpCase } from './case.ts';
import { expectAnswers } from './check-case.ts';

/** Requests that come in pieces, as TCP may cut them anywhere. */

/** Connections at the same time. */
const maxConnections = 200;

/** With which answer a connection may end that brings a request cut at a byte. */
export type PermittedCut = (send: string, offset: number) => AnswerPattern | undefined;

/** Sends a request once for every place where it can be cut in two, with the second piece in a packet of its own. */
export async function checkEveryCut(
  port: number,
  barrier: Barrier,
  one: HttpCase,
  permitted: PermittedCut,
): Promise<void> {
  const offsets = Array.from({ length: one.send.length - 1 }, (_, index) => index + 1);
  while (offsets.length > 0) {
    const sent = await Promise.all(
      offsets.splice(0, maxConnections).map(async (offset) => ({ offset, ...(await open(port, one)) })),
    );
    for (const { offset, connection } of sent) connection.write(one.send.slice(0, offset));
    await barrier.wait();
    for (const { offset, connection } of sent) connection.write(one.send.slice(offset));
    for (const { offset, connection } of sent)
      await expectOutcome(connection, one, permitted(one.send, offset), `cut at ${offset}`);
  }
}

/** Sends many requests at the same time, a byte in a packet. @param start bytes that come first, in one packet */
export async function checkEveryByte(
  port: number,
  barrier: Barrier,
  cases: readonly HttpCase[],
  start: (send: string) => number,
): Promise<void> {
  const sent = await Promise.all(cases.map((one) => open(port, one)));
  for (const { connection, one } of sent) connection.write(one.send.slice(0, start(one.send)));
  const longest = Math.max(...cases.map(({ send }) => send.length - start(send)));
  for (let offset = 0; offset < longest; offset++) {
    await barrier.wait();
    for (const { connection, one } of sent) {
      const position = start(one.send) + offset;
      if (position < one.send.length) connection.write(one.send.slice(position, position + 1));
    }
  }
  for (const { connection, one } of sent) await expectOutcome(connection, one, undefined, one.name);
}

/** Sends many requests at the same time, each with the end of the sending side. */
export async function checkHalfClosed(port: number, cases: readonly HttpCase[]): Promise<void> {
  const sent = await Promise.all(cases.map((one) => open(port, one, true)));
  for (const { connection, one } of sent) {
    connection.write(one.send);
    connection.end();
  }
  for (const { connection, one } of sent) {
    expect(await connection.isClosed(), one.name).toBe(true);
    expectAnswers(connection.received().answers, one.answers, one.name);
    connection.close();
  }
}

async function open(
  port: number,
  one: HttpCase,
  allowHalfOpen = false,
): Promise<{ readonly connection: RawConnection; readonly one: HttpCase }> {
  const isHead = (index: number): boolean => one.answers[index]?.isHead === true;
  return { connection: await RawConnection.open(port, { isHead, allowHalfOpen }), one };
}

async function expectOutcome(
  connection: RawConnection,
  { answers, connection: after }: HttpCase,
  permitted: AnswerPattern | undefined,
  message: string,
): Promise<void> {
  const received = (await connection.answers(answers.length)).answers;
  const isRefused = permitted?.status.includes(received.at(-1)?.status ?? 0) === true;
  if (!isRefused) expectAnswers(received, answers, message);
  if (after === 'closes' || isRefused) expect(await connection.isClosed(), message).toBe(true);
  connection.close();
}
