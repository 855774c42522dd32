import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib';
import { OutgoingError, toOutgoingError } from './errors.ts';

/** The answer to an outgoing request. Its body must be read or destroyed, else the connection stays in use. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Names in lower case; of headers that come several times, the values joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  /** The address that answered, after redirects. */
  readonly url: string;
  /** Without content encoding. Fails with an `OutgoingError`. */
  readonly body: Readable;
}

/** What happens when a body is longer than the limit: it is an error, or the rest is left out. */
export type Overflow = 'refuse' | 'truncate';

export interface BodyBytes {
  readonly bytes: Buffer;
  readonly isTruncated: boolean;
}

/**
 * Reads a body into memory, at most `maxBytes`.
 *
 * @throws OutgoingError `tooLarge` if it is longer and the overflow is refused
 */
export async function readBytes(
  { body, url }: Pick<OutgoingAnswer, 'body' | 'url'>,
  maxBytes: number,
  overflow: Overflow = 'refuse',
): Promise<BodyBytes> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size <= maxBytes) {
      chunks.push(bytes);
      continue;
    }
    // Leaving the loop destroys the body, which ends the connection.
    if (overflow === 'refuse')
      throw new OutgoingError('tooLarge', new URL(url).host, `it has more than ${maxBytes} bytes`);
    chunks.push(bytes.subarray(0, bytes.length - (size - maxBytes)));
    return { bytes: Buffer.concat(chunks), isTruncated: true };
  }
  return { bytes: Buffer.concat(chunks), isTruncated: false };
}

/** Ends a body that nobody reads. A short rest is read, so that the connection can be used again. */
export function discard(body: Readable): void {
  let left = 64 * 1024;
  body.on('error', () => {});
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) body.destroy();
  });
}

/** The decoders of content encodings; `x-gzip` is an old name (RFC 9110, 8.4.1). */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What `Accept-Encoding` offers when bodies are decoded. */
export const acceptedEncodings = 'gzip, br';

/**
 * Takes off the content encoding, and turns all errors into `OutgoingError`. `onEnd` is called when the body
 * has ended in any way.
 *
 * @throws OutgoingError `answerInvalid` for an encoding that is not known or not wanted
 */
export function decodedBody(
  raw: Readable,
  encoding: string | undefined,
  { host, onEnd }: { readonly host: string; onEnd(): void },
): Readable {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const wanted = names.filter((name) => name !== '' && name !== 'identity').reverse();
  const steps = wanted.map((name) => decoders[name]);
  if (steps.length > 1 || steps.includes(undefined)) {
    raw.on('error', () => {}).destroy();
    throw new OutgoingError('answerInvalid', host, 'its content encoding is not known');
  }
  const last = new EndOfBody(host);
  pipeline([raw, ...steps.flatMap((step) => (step === undefined ? [] : [step()])), last], onEnd);
  return last;
}

/** What the reader gets; its errors are `OutgoingError`. */
class EndOfBody extends PassThrough {
  readonly #host: string;

  constructor(host: string) {
    super();
    this.#host = host;
    // An error before somebody reads would otherwise end the process; the reader gets it all the same.
    this.on('error', () => {});
  }

  /** Not `_destroy`: who begins to read after the error gets what was given to `destroy`. */
  override destroy(error?: Error): this {
    return super.destroy(
      error === undefined || error === null ? undefined : toOutgoingError(error, this.#host),
    );
  }
}
