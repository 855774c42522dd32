/** Answers whose bodies are read from somewhere else while the client takes them. */
import type { Readable } from 'node:stream';
import { FilePart } from '../../base/file-part.ts';
import { comment, type EventStream } from '../body/events.ts';
import type { StreamedBody } from '../body/streamed.ts';
import { BufferPool } from './buffer-pool.ts';
import type { Exchange } from './running.ts';

/**
 * Writes head and body. A file needs no memory for a reader that does not read.
 *
 * @param closeConnection closes the connection after the body, whose length is then not announced
 */
export function writeStreamed(
  head: string,
  { length, source }: StreamedBody,
  exchange: Exchange,
  closeConnection: boolean,
): Promise<void> {
  if (length === undefined || length === 0 || closeConnection)
    return writeChunks(head, source, exchange, closeConnection);
  return source instanceof FilePart
    ? writeFile(head, source, length, exchange)
    : writeStream(head, source, length, exchange);
}

/**
 * Writes head and events. The next event is made only when the client has taken the one before. Ends with the events,
 * when the client goes, or when the server stops. If they are over before the client has taken what was written, the
 * connection is closed.
 */
export async function writeEvents(
  head: string,
  { open, over }: EventStream,
  exchange: Exchange,
  closeConnection: boolean,
): Promise<void> {
  const gone = new AbortController();
  exchange.onAbort = () => gone.abort();
  if (exchange.aborted) gone.abort();
  let first: string | undefined = head;
  let isWriting = false;
  over?.addEventListener('abort', () => {
    if (isWriting) exchange.close();
  });
  try {
    for await (const text of open(AbortSignal.any([gone.signal, exchange.closing]))) {
      isWriting = true;
      if (!(await exchange.writeChunk(Buffer.from(text), first, () => commentBytes))) break;
      isWriting = false;
      first = undefined;
    }
  } catch {
    // The events cannot be made any more. The client connects again and learns why.
  }
  if (first === undefined) exchange.endChunks(closeConnection);
  else exchange.close();
  exchange.finish();
}

/** A comment in an event stream. */
const commentBytes = Buffer.from(comment);

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
async function writeStream(
  head: string,
  source: Readable,
  length: number,
  exchange: Exchange,
): Promise<void> {
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

/**
 * Writes head and body in chunks, whose end says that the body is complete. The next part is read only when the
 * client has taken the one before. If the source fails, the connection is closed without that end.
 */
async function writeChunks(
  head: string,
  source: Readable,
  exchange: Exchange,
  closeConnection: boolean,
): Promise<void> {
  exchange.onAbort = () => source.destroy();
  let first: string | undefined = head;
  let isComplete = false;
  try {
    for await (const part of source) {
      if (!(part instanceof Uint8Array)) throw new TypeError('a streamed body must consist of bytes');
      if (part.length === 0) continue;
      if (!(await writeWhole(exchange, part, first))) break;
      first = undefined;
    }
    isComplete = source.readableEnded;
  } catch {
    // The source is not readable any more; nothing else can be told to the client.
  }
  source.destroy();
  if (isComplete) exchange.endChunks(closeConnection, first);
  else exchange.close();
  exchange.finish();
}

/** Bytes at the end of a part that are written one by one while the client is slow; see `writeChunk`. */
const flushingBytes = 1024;

/** Writes a part of a body without a length and resolves when the client has taken it: with false if it has gone. */
export async function writeWhole(
  exchange: Exchange,
  part: Uint8Array,
  head: string | undefined,
): Promise<boolean> {
  let position = Math.max(1, part.length - flushingBytes);
  const flush = (): Uint8Array => part.subarray(position, ++position);
  if (!(await exchange.writeChunk(part.subarray(0, position), head, flush))) return false;
  if (position < part.length) exchange.writeRest(part.subarray(position));
  return true;
}
