/**
 * The headers that the transport adds to an answer: `Date`, and whether the connection stays open. They are made anew
 * from time to time, because asking for the time takes as long as writing a head.
 */
export class HeadEnds {
  readonly #open: string;
  #openEnd = toHeadEnd('');
  #closingEnd = toHeadEnd('');

  constructor(keepAliveSeconds: number) {
    this.#open = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}`;
  }

  /** To be called at least once a second while answers are written. */
  refresh(): void {
    const date = `\r\nDate: ${new Date().toUTCString()}\r\n`;
    this.#openEnd = toHeadEnd(date + this.#open);
    this.#closingEnd = toHeadEnd(`${date}Connection: close`);
  }

  /** @param isLast whether the connection closes after the answer */
  current(isLast: boolean): HeadEnd {
    return isLast ? this.#closingEnd : this.#openEnd;
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
