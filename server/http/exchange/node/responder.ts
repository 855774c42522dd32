import type { KeptHead } from '../kept-head.ts';
import type { Responder } from '../transport.ts';
import type { HeadEnds } from './head-ends.ts';
import { copiedBytes, type SocketWriter } from './socket-writer.ts';

/** Most bytes of a part that are copied, here or by encrypting, for a client that does not take them. */
const windowBytes = 64 * 2 ** 10;

/** What an answer needs of its connection. */
export interface AnswerConnection {
  readonly writer: SocketWriter;
  readonly headEnds: HeadEnds;
  readonly peer: string;
  /** The answer is complete. */
  onAnswered(): void;
  pauseReading(): void;
  resumeReading(): void;
  /** Closes the connection at once. */
  destroy(): void;
}

/** Answers one request. */
export class NodeResponder implements Responder {
  readonly #connection: AnswerConnection;
  #head = '200 OK';
  #kept: KeptHead | undefined;
  #offset = 0;
  #isLast: boolean;
  #hasHead = false;
  #isChunked = false;
  /** Whether the client has not yet taken what was written. */
  #isWaiting = false;
  #isEnded = false;
  #onAborted = ignore;
  #onData: (chunk: ArrayBuffer, isLast: boolean) => void = ignore;
  #onWritable: (offset: number) => unknown = ignore;

  /** @param isLast whether the connection closes afterwards in any case */
  constructor(connection: AnswerConnection, isLast: boolean) {
    this.#connection = connection;
    this.#isLast = isLast;
  }

  /** Whether the answer is complete or the client has gone. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether the connection closes after this answer. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** Whether something of the answer has been written. */
  get hasHead(): boolean {
    return this.#hasHead;
  }

  /** Whether the answer has an end that only its writer knows. */
  get isChunked(): boolean {
    return this.#isChunked;
  }

  get peer(): string {
    return this.#connection.peer;
  }

  onAborted(handler: () => void): this {
    this.#onAborted = handler;
    return this;
  }

  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    this.#onData = handler;
    return this;
  }

  onWritable(handler: (offset: number) => boolean): this {
    this.#onWritable = handler;
    return this;
  }

  /** No further request comes on the connection that can be read. */
  closeAfterwards(): void {
    this.#isLast = true;
  }

  /** A part of the body of the request. */
  receive(part: Uint8Array): void {
    if (!this.#isEnded && this.#onData !== ignore) this.#onData(new Uint8Array(part).buffer, false);
  }

  /** The body of the request is complete. */
  receiveEnd(): void {
    if (!this.#isEnded) this.#onData(new ArrayBuffer(0), true);
  }

  /** The client may have taken what was written. */
  taken(): void {
    if (!this.#isWaiting || this.#isEnded || this.#connection.writer.isBlocked) return;
    this.#isWaiting = false;
    this.#onWritable(this.#offset);
  }

  cork(work: () => void): this {
    const { writer } = this.#connection;
    if (!writer.beginBatch()) {
      work();
      return this;
    }
    try {
      work();
    } finally {
      writer.endBatch();
    }
    return this;
  }

  writeStatus(head: string, kept?: KeptHead): this {
    this.#head = head;
    this.#kept = kept;
    return this;
  }

  tryEnd(part: Uint8Array | string, total: number, mayChange = false): [boolean, boolean] {
    if (this.#isWaiting || this.#isEnded) return [false, false];
    const { writer } = this.#connection;
    if (!this.#hasHead) this.#writeHead(total);
    // A character takes at most three bytes.
    if (typeof part === 'string' && part.length * 3 <= copiedBytes) {
      writer.text(part);
      this.#offset = total;
    } else {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      if (bytes.length <= copiedBytes) this.#writeSmall(bytes, total);
      else if (mayChange || writer.encrypts) this.#writeWindows(bytes, mayChange);
      else this.#writeLarge(bytes);
      if (this.#offset < total) return [!this.#isWaiting, false];
      // Bytes that lie elsewhere are needed until the client has taken them, so the answer is not complete before.
      if (this.#isWaiting && !mayChange) return [false, false];
    }
    this.#end();
    return [true, true];
  }

  write(part: Uint8Array): boolean {
    if (part.length === 0 || this.#isEnded) return !this.#isWaiting;
    const { writer } = this.#connection;
    if (!this.#hasHead) this.#writeHead(undefined);
    writer.text(`${part.length.toString(16)}\r\n`);
    if (part.length > copiedBytes) writer.send(part);
    else writer.copy(part);
    writer.text('\r\n');
    writer.flushAndTell();
    this.#offset += part.length;
    this.#isWaiting = writer.isBlocked;
    return !this.#isWaiting;
  }

  end(body: Uint8Array | string = '', closeConnection = false): this {
    if (this.#isEnded) return this;
    const { writer } = this.#connection;
    if (!this.#hasHead) {
      this.#isLast ||= closeConnection;
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      this.#writeHead(bytes.length);
      if (bytes.length > 0) writer.copy(bytes);
    } else if (this.#isChunked) writer.text('0\r\n\r\n');
    this.#isLast ||= closeConnection;
    this.#end();
    return this;
  }

  endWithoutBody(): this {
    if (this.#isEnded) return this;
    if (!this.#writeKept(undefined)) {
      this.#writeStatusLine();
      this.#connection.writer.text(this.#connection.headEnds.current(this.#isLast).ofNoBody);
    }
    this.#end();
    return this;
  }

  getWriteOffset(): number {
    return this.#offset;
  }

  close(): this {
    this.#connection.destroy();
    this.abort();
    return this;
  }

  pause(): void {
    this.#connection.pauseReading();
  }

  resume(): void {
    this.#connection.resumeReading();
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return new Uint8Array(Buffer.from(this.#connection.peer)).buffer;
  }

  /** The answer will not be complete. */
  abort(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#isLast = true;
    this.#onAborted();
  }

  /** @param length undefined if it is not known */
  #writeHead(length: number | undefined): void {
    const has204 = this.#head.startsWith('204');
    if (length !== undefined && !has204 && this.#writeKept(length)) return;
    const { writer, headEnds } = this.#connection;
    const { beforeLength, ofChunks, ofNoBody } = headEnds.current(this.#isLast);
    this.#writeStatusLine();
    if (length === undefined) {
      this.#isChunked = true;
      writer.text(ofChunks);
    } else if (has204) writer.text(ofNoBody);
    else {
      writer.text(beforeLength);
      writer.text(String(length));
      writer.text('\r\n\r\n');
    }
  }

  /** Writes the bytes of a head that is kept, with its end; false if there are none. */
  #writeKept(length: number | undefined): boolean {
    const bytes = this.#kept?.findBytes(length);
    if (bytes === undefined) return false;
    const { writer, headEnds } = this.#connection;
    this.#hasHead = true;
    writer.copy(bytes);
    writer.text(headEnds.current(this.#isLast).ofNoBody);
    return true;
  }

  #writeStatusLine(): void {
    const { writer } = this.#connection;
    this.#hasHead = true;
    writer.text('HTTP/1.1 ');
    writer.text(this.#head);
  }

  #writeSmall(bytes: Uint8Array, total: number): void {
    const { writer } = this.#connection;
    writer.copy(bytes);
    this.#offset += bytes.length;
    if (this.#offset === total || bytes.length === 0) return;
    writer.flushAndTell();
    this.#isWaiting = writer.isBlocked;
  }

  #writeLarge(bytes: Uint8Array): void {
    const { writer } = this.#connection;
    writer.send(bytes);
    this.#offset += bytes.length;
    this.#isWaiting = writer.isBlocked;
  }

  /** Leaves what the client does not take to the caller. */
  #writeWindows(bytes: Uint8Array, mayChange: boolean): void {
    const { writer } = this.#connection;
    for (let position = 0; position < bytes.length && !this.#isWaiting; position += windowBytes) {
      const window = bytes.subarray(position, position + windowBytes);
      writer.send(mayChange ? Buffer.from(window) : window);
      this.#offset += window.length;
      this.#isWaiting = writer.isBlocked;
    }
  }

  #end(): void {
    this.#isEnded = true;
    this.#connection.writer.settle();
    this.#connection.onAnswered();
  }
}

function ignore(): void {}
