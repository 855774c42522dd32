/** Answers whose bodies are read from somewhere else while the client takes them. */
import type { StreamedBody } from '../streamed-body.ts';
import type { Exchange } from './running.ts';

/**
 * Writes head and body. The next part is read only when the client has taken the one before, so an answer never
 * has more than one part in memory. If the source fails or ends early, the connection is closed, so that the
 * client sees that something is missing.
 */
export async function writeStreamed(head: string, body: StreamedBody, exchange: Exchange): Promise<void> {
  const { length, source } = body;
  exchange.onAbort = () => source.destroy();
  let sent = 0;
  try {
    for await (const part of source) {
      if (!(part instanceof Uint8Array)) throw new TypeError('a streamed body must consist of bytes');
      const first = sent === 0 ? head : undefined;
      sent += part.length;
      if (sent > length) throw new RangeError(`a streamed body is longer than ${length} bytes`);
      if (!(await exchange.writePart(part, length, first))) break;
    }
  } catch {
    // The source is not readable any more; nothing else can be told to the client.
  }
  source.destroy();
  if (sent !== length) exchange.close();
  exchange.finish();
}
