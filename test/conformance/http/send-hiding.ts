import { RawConnection } from '../../support/http-answers.ts';
import type { Barrier } from './barrier.ts';
import type { HidingMessage } from './hiding-messages.ts';

/** How often a server may answer others before a message counts as one that gets no answer. */
const maxWaits = 25;

interface Outcome {
  /** Names of the messages whose hidden request was answered. */
  readonly answered: readonly string[];
  /** Names of those that got no answer and still have their connection. */
  readonly silent: readonly string[];
}

/** Sends all messages at the same time. @param isCut whether the bodies have packets of their own */
export async function sendHiding(
  port: number,
  barrier: Barrier,
  messages: readonly HidingMessage[],
  isCut: boolean,
): Promise<Outcome> {
  const sent = await Promise.all(
    messages.map(async (message) => ({ ...message, connection: await RawConnection.open(port) })),
  );
  for (const { connection, head, body } of sent) connection.write(isCut ? head : head + body);
  await barrier.wait();
  if (isCut) for (const { connection, body } of sent) connection.write(body);
  const isSilent = ({ connection }: (typeof sent)[number]): boolean =>
    connection.text === '' && !connection.hasEnded;
  for (let waits = 0; waits < maxWaits && sent.some(isSilent); waits++) await barrier.wait();
  await barrier.wait();
  const answered = sent.filter(({ connection }) => connection.text.includes('"status":"ok"'));
  const silent = sent.filter(isSilent);
  for (const { connection } of sent) connection.close();
  return { answered: answered.map(({ name }) => name), silent: silent.map(({ name }) => name) };
}
