import { connect, type Socket } from 'node:net';

/** Which answer may come. */
export interface AnswerPattern {
  readonly status: readonly number[];
  /** Whether it answers HEAD, and so has no body. */
  readonly isHead?: boolean;
  /** What head and body together contain, and what not. */
  readonly has?: RegExp;
  readonly hasNot?: RegExp;
}

/** An answer as a client reads it. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

export interface ReceivedAnswers {
  readonly answers: readonly RawAnswer[];
  /** Answers with a status of 1xx. */
  readonly interim: readonly RawAnswer[];
  /** Bytes after the last whole answer. */
  readonly rest: string;
}

/**
 * Cuts what a server has sent into answers.
 *
 * @param isHead whether the request with this index was HEAD
 * @param hasEnded whether the connection has, which ends a body without a length
 * @throws Error if it is not HTTP
 */
function readAnswers(text: string, isHead: (index: number) => boolean, hasEnded: boolean): ReceivedAnswers {
  const answers: RawAnswer[] = [];
  const interim: RawAnswer[] = [];
  let rest = text;
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: |\r|$)/.exec(head)?.[1]);
    if (!(status >= 100)) throw new Error(`this is no answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const after = rest.slice(end + 4);
    const hasBody = status >= 200 && status !== 204 && status !== 304 && !isHead(answers.length);
    const read = hasBody ? readBody(head, after, hasEnded) : { body: '', rest: after };
    if (read === undefined) break;
    (status < 200 ? interim : answers).push({ status, head, body: read.body });
    rest = read.rest;
  }
  return { answers, interim, rest };
}

interface ReadBody {
  readonly body: string;
  readonly rest: string;
}

/** Undefined if it has not come whole. */
function readBody(head: string, text: string, hasEnded: boolean): ReadBody | undefined {
  if (/^transfer-encoding: chunked$/im.test(head)) return readChunks(text);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length === undefined) return hasEnded ? { body: text, rest: '' } : undefined;
  if (text.length < Number(length)) return undefined;
  return { body: text.slice(0, Number(length)), rest: text.slice(Number(length)) };
}

function readChunks(text: string): ReadBody | undefined {
  let body = '';
  let rest = text;
  for (;;) {
    const [line, size] = /^([\da-f]+)\r\n/i.exec(rest) ?? [];
    if (line === undefined || size === undefined) return undefined;
    const length = Number.parseInt(size, 16);
    if (rest.length < line.length + length + 2) return undefined;
    body += rest.slice(line.length, line.length + length);
    rest = rest.slice(line.length + length + 2);
    if (length === 0) return { body, rest };
  }
}

interface RawConnectionOptions {
  /** Whether the request with this index is HEAD. */
  readonly isHead: (index: number) => boolean;
  readonly allowHalfOpen: boolean;
}

/** How long a server may take to do what it does at once, in milliseconds. */
const usualMs = 10_000;

/** A connection on which bytes go out as a test says, and answers are read. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #isHead: (index: number) => boolean;
  #text = '';
  #hasEnded = false;
  #wake = (): void => {};

  /** @param socket connected */
  constructor(socket: Socket, isHead: (index: number) => boolean = () => false) {
    this.#socket = socket;
    this.#isHead = isHead;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => {
      this.#text += bytes.toString('latin1');
      this.#wake();
    });
    const end = (): void => {
      this.#hasEnded = true;
      this.#wake();
    };
    socket.on('end', end).on('close', end);
    // The server may close before it has read everything; what it has answered counts.
    socket.on('error', () => {});
  }

  static open(
    port: number,
    { isHead, allowHalfOpen = false }: Partial<RawConnectionOptions> = {},
  ): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(new RawConnection(socket, isHead)));
      socket.once('error', reject);
    });
  }

  /** Whether the server has closed the connection. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  write(bytes: string | Uint8Array): void {
    if (this.#socket.writable)
      this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Ends the sending side. */
  end(): void {
    this.#socket.end();
  }

  /** All that has come so far. */
  get text(): string {
    return this.#text;
  }

  /** What has come so far. */
  received(): ReceivedAnswers {
    return readAnswers(this.#text, this.#isHead, this.#hasEnded);
  }

  /** Resolves when so many answers have come, the connection has ended, or the time is over. */
  async answers(count: number, withinMs?: number): Promise<ReceivedAnswers> {
    await this.until(() => this.received().answers.length >= count, withinMs);
    return this.received();
  }

  /** Whether the server closes the connection in time. */
  async isClosed(withinMs?: number): Promise<boolean> {
    await this.until(() => false, withinMs);
    return this.#hasEnded;
  }

  /** Resolves when that is there, the connection has ended, or the time is over. */
  async until(isThere: () => boolean, withinMs = usualMs): Promise<void> {
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      this.#wake();
    }, withinMs);
    while (!this.#hasEnded && !isOver && !isThere())
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    clearTimeout(timer);
  }

  close(): void {
    this.#socket.destroy();
  }
}
