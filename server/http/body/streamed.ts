import type { Readable } from 'node:stream';

/** The body of an answer that is read while it is sent. Whoever gets one must send or discard it. */
export class StreamedBody {
  /** In bytes; undefined if it is not known before the body has been read. */
  readonly length: number | undefined;
  /** The bytes of a part are true until the next part is asked for: the source may use their memory again. */
  readonly source: Readable;

  constructor(source: Readable, length: number | undefined) {
    this.source = source;
    this.length = length;
  }

  /** Closes the source of a body that is not sent. */
  discard(): void {
    this.source.on('error', ignore);
    this.source.destroy();
  }
}

function ignore(): void {}
