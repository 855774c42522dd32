/**
 * The headers that the transport adds to an answer: `Date`, and whether the connection stays open. Made once a second.
 */
export class HeadEnds {
  readonly #open: string;
  #second = 0;
  #texts: Record<'open' | 'closing', HeadEnd> = { open: toHeadEnd(''), closing: toHeadEnd('') };

  constructor(keepAliveSeconds: number) {
    this.#open = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}`;
  }

  /** @param isLast whether the connection closes after the answer */
  current(isLast: boolean): HeadEnd {
    const now = Date.now();
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      const date = `\r\nDate: ${new Date(now).toUTCString()}\r\n`;
      this.#texts = {
        open: toHeadEnd(date + this.#open),
        closing: toHeadEnd(`${date}Connection: close`),
      };
    }
    return isLast ? this.#texts.closing : this.#texts.open;
  }
}

/** What follows the last header of an answer. */
interface HeadEnd {
  /** Followed by the number of bytes and `\r\n\r\n`. */
  readonly beforeLength: string;
  readonly ofChunks: string;
  readonly ofNoBody: string;
}

function toHeadEnd(text: string): HeadEnd {
  return {
    beforeLength: `${text}\r\nContent-Length: `,
    ofChunks: `${text}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ofNoBody: `${text}\r\n\r\n`,
  };
}
