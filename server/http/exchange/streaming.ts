/** Answers whose bodies are read from somewhere else while the client takes them. */
import { FilePart } from '../../file-part.ts';
import type { EventStream } from '../event-stream.ts';
import type { StreamedBody } from '../streamed-body.ts';
import { BufferPool } from './buffer-pool.ts';
import type { Exchange } from './running.ts';

/** Writes head and body. A file needs no memory for a reader that does not read. */
export function writeStreamed(head: string, body: StreamedBody, exchange: Exchange): Promise<void> {
  return body.source instanceof FilePart
    ? writeFile(head, body.source, body.length, exchange)
    : writeStream(head, body, exchange);
}

/**
 * Writes head and events. The next event is made only when the client has taken the one before. Ends with the events,
 * when the client goes, or when the server stops.
 */
export async function writeEvents(
  head: string,
  { open }: EventStream,
  exchange: Exchange,
  closeConnection: boolean,
): Promise<void> {
  const gone = new AbortController();
  exchange.onAbort = () => gone.abort();
  if (exchange.aborted) gone.abort();
  let first: string | undefined = head;
  try {
    for await (const text of open(AbortSignal.any([gone.signal, exchange.closing]))) {
      if (!(await exchange.writeChunk(Buffer.from(text), first))) break;
      first = undefined;
    }
  } catch {
    // The events cannot be made any more. The client connects again and learns why.
  }
  if (first === undefined) exchange.endChunks(closeConnection);
  else exchange.close();
  exchange.finish();
}

/** What is read from a file at once, and how many reads run at the same time. */
const buffers = new BufferPool({ size: 128 * 2 ** 10, count: 16 });

/**
 * Reads a part of the file, writes what the client takes of it and forgets the rest, which is read again when the
 * client takes more.
 */
async function writeFile(head: string, source: FilePart, length: number, exchange: Exchange): Promise<void> {
  let position = 0;
  let first: string | undefined = head;
  try {
    while (position < length) {
      const written = await buffers.use(async (buffer) => {
        const count = await source.readAt(buffer, position);
        if (count === 0) throw new RangeError(`the file ends at ${position} of ${length} bytes`);
        return exchange.tryPart(buffer.subarray(0, count), length, first);
      });
      if (written === undefined) break;
      first = undefined;
      ({ position } = written);
      if (!written.drained && !written.finished && !(await exchange.writable())) break;
    }
  } catch {
    // The file is not readable any more; nothing else can be told to the client.
  }
  source.destroy();
  if (position < length) exchange.close();
  exchange.finish();
}

/**
 * Writes head and body. The next part is read only when the client has taken the one before, so an answer never
 * has more than one part in memory. If the source fails or ends early, the connection is closed, so that the
 * client sees that something is missing.
 */
async function writeStream(head: string, body: StreamedBody, exchange: Exchange): Promise<void> {
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
