import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Responder } from '../transport.ts';

/** Most bytes of an answer that wait in the socket of a client that does not read. */
const windowBytes = 64 * 2 ** 10;

/** Answers one request of Node's server. */
export class NodeResponder implements Responder {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #onEnd: () => void;
  #head: Head = { status: 200, reason: 'OK', headers: [] };
  #offset = 0;
  #isWaiting = false;
  #isEnded = false;
  #isLast = false;
  #onAborted: () => void = () => {};
  #onWritable: (offset: number) => boolean = () => true;

  /** @param onEnd called when the answer is complete */
  constructor(req: IncomingMessage, res: ServerResponse, onEnd: () => void) {
    this.#req = req;
    this.#res = res;
    this.#onEnd = onEnd;
    // An error of the connection is followed by `close`.
    res.on('error', ignore);
    req.on('error', ignore);
    res.on('close', () => this.#abort());
    res.on('drain', () => {
      this.#isWaiting = false;
      if (!this.#isEnded) this.#onWritable(this.#offset);
    });
  }

  /** Whether the answer is complete or the client has gone. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether the connection closes after this answer. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** Whether the system has taken the whole answer. */
  get isSent(): boolean {
    return this.#res.writableFinished;
  }

  /** Whether nothing of the answer has been written, and all answers before it have been sent. */
  get isUnanswered(): boolean {
    return !this.#isEnded && !this.#res.headersSent && this.#res.socket !== null;
  }

  onAborted(handler: () => void): this {
    this.#onAborted = handler;
    return this;
  }

  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    this.#req.on('data', (chunk: Buffer) => {
      if (!this.#isEnded) handler(new Uint8Array(chunk).buffer, false);
    });
    this.#req.on('end', () => {
      if (!this.#isEnded) handler(new ArrayBuffer(0), true);
    });
    return this;
  }

  onWritable(handler: (offset: number) => boolean): this {
    this.#onWritable = handler;
    return this;
  }

  cork(work: () => void): this {
    this.#res.cork();
    try {
      work();
    } finally {
      this.#res.uncork();
    }
    return this;
  }

  writeStatus(head: string): this {
    this.#head = parsedHead(head);
    return this;
  }

  tryEnd(part: Uint8Array | string, total: number): [boolean, boolean] {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    if (!this.#res.headersSent) this.#writeHead(total);
    for (let position = 0; position < bytes.length && !this.#isWaiting; position += windowBytes) {
      const slice = bytes.subarray(position, position + windowBytes);
      this.#offset += slice.length;
      this.#isWaiting = !this.#res.write(slice);
    }
    if (this.#offset < total) return [!this.#isWaiting, false];
    this.#end();
    return [true, true];
  }

  write(part: Uint8Array): boolean {
    if (!this.#res.headersSent) this.#writeHead(undefined);
    this.#offset += part.length;
    // While it is corked Node.js counts a chunk as waiting that the system then takes at once, without `drain`.
    const corks = this.#res.writableCorked;
    for (let cork = 0; cork < corks; cork++) this.#res.uncork();
    this.#isWaiting = !this.#res.write(part);
    for (let cork = 0; cork < corks; cork++) this.#res.cork();
    return !this.#isWaiting;
  }

  end(body: Uint8Array | string = '', closeConnection = false): this {
    this.#isLast = closeConnection;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (!this.#res.headersSent) this.#writeHead(bytes.length);
    if (bytes.length > 0) this.#res.write(bytes);
    this.#end();
    return this;
  }

  endWithoutBody(): this {
    this.#writeHead(undefined);
    this.#end();
    return this;
  }

  getWriteOffset(): number {
    return this.#offset;
  }

  close(): this {
    this.#req.socket.destroy();
    this.#abort();
    return this;
  }

  pause(): void {
    this.#req.pause();
  }

  resume(): void {
    this.#req.resume();
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return new Uint8Array(Buffer.from(this.#req.socket.remoteAddress ?? '')).buffer;
  }

  #writeHead(length: number | undefined): void {
    const { status, reason, headers } = this.#head;
    const hasLength = length !== undefined && status !== 204;
    this.#res.writeHead(status, reason, [
      ...headers,
      ...(hasLength ? ['Content-Length', String(length)] : []),
      ...(this.#isLast ? ['Connection', 'close'] : []),
    ]);
  }

  #end(): void {
    this.#isEnded = true;
    this.#res.end();
    this.#onEnd();
  }

  #abort(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#isLast = true;
    this.#onAborted();
  }
}

function ignore(): void {}

interface Head {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Few texts make nearly all answers, because a cached page always has the same. */
const heads = new LRUCache<string, Head>({ max: 1000 });

/** Reads the text that `responseHead` has made and checked. */
function parsedHead(text: string): Head {
  const known = heads.get(text);
  if (known !== undefined) return known;
  // Node.js writes headers as Latin-1.
  const [line = '', ...lines] = Buffer.from(text).toString('latin1').split('\r\n');
  const headers = lines.flatMap((header) => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon), header.slice(colon + 2)];
  });
  const head = { status: Number(line.slice(0, 3)), reason: line.slice(4), headers };
  heads.set(text, head);
  return head;
}
