import { type RawAnswer, RawConnection } from '../../support/http-answers.ts';
import { sendRaw } from '../../support/raw.ts';
import type { SlowCase } from './cases/slow.ts';
import { health } from './messages.ts';

/** Connections of each case at the same time. */
const copies = 20;

/** How often a piece is sent, in milliseconds: so seldom that no limit of bytes is reached. */
const pieceMs = 200;

/** Longer than any front waits, in milliseconds: uWebSockets.js closes up to 4 s after its 10 s. */
const mostMs = 25_000;

export interface SlowOutcome {
  readonly hasEnded: boolean;
  readonly answers: readonly RawAnswer[];
}

interface SlowOutcomes {
  /** Of each connection of a case, by its name. */
  readonly byCase: ReadonlyMap<string, readonly SlowOutcome[]>;
  /** What requests got that were sent meanwhile. */
  readonly meanwhile: readonly string[];
}

/** Sends all cases at the same time until the server has closed every connection. */
export async function sendSlowly(port: number, cases: readonly SlowCase[]): Promise<SlowOutcomes> {
  const sent = await Promise.all(
    cases.flatMap((one) =>
      Array.from({ length: copies }, async () => ({ ...one, connection: await RawConnection.open(port) })),
    ),
  );
  for (const { connection, send } of sent) connection.write(send);
  const requests: Promise<string>[] = [];
  const timer = setInterval(() => {
    for (const { connection, more } of sent) if (!connection.hasEnded && more !== '') connection.write(more);
    requests.push(sendRaw(port, health('Connection: close'), '"status":"ok"'));
  }, pieceMs);
  await Promise.all(sent.map(({ connection }) => connection.isClosed(mostMs)));
  clearInterval(timer);
  const byCase = new Map<string, SlowOutcome[]>();
  for (const { name, connection } of sent) {
    const outcome = { hasEnded: connection.hasEnded, answers: connection.received().answers };
    byCase.set(name, [...(byCase.get(name) ?? []), outcome]);
    connection.close();
  }
  return { byCase, meanwhile: await Promise.all(requests) };
}
