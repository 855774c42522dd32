import type { SharedResponse } from '../../shared-responses.ts';
import type { RequestHead, Responder, SharedForm } from '../transport.ts';
import type { ForwardedRequest, SharedKey, ToThread } from './messages.ts';

/** Most bytes of an answer that are on their way to a thread or wait there for their reader. */
const windowBytes = 256 * 2 ** 10;

/** The main thread's side of a request that a thread of the front has received. */
export class RemoteResponder implements Responder {
  readonly #request: ForwardedRequest;
  readonly #post: (message: ToThread) => void;
  readonly #onShare: (answer: SharedResponse, key: SharedKey, form: SharedForm) => void;
  readonly #onEnd: () => void;
  #head: string | undefined;
  #offset = 0;
  #untaken = 0;
  /** Whether more is to be written when there is room. */
  #isBlocked = false;
  #isEnded = false;
  #onAborted: () => void = () => {};
  #onData: (chunk: ArrayBuffer, isLast: boolean) => void = () => {};
  #onWritable: (offset: number) => boolean = () => true;

  constructor(request: ForwardedRequest, { post, onShare, onEnd }: RemoteResponderDeps) {
    this.#request = request;
    this.#post = post;
    this.#onShare = onShare;
    this.#onEnd = onEnd;
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

  cork(work: () => void): this {
    work();
    return this;
  }

  writeStatus(head: string): this {
    this.#head = head;
    return this;
  }

  tryEnd(part: Uint8Array | string, total: number): [boolean, boolean] {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    const { id } = this.#request;
    const room = Math.max(0, windowBytes - this.#untaken);
    const taken = bytes.length <= room ? bytes : bytes.subarray(0, room);
    if (taken.length > 0 || total === 0) {
      this.#offset += taken.length;
      this.#untaken += taken.length;
      this.#post({ kind: 'part', id, head: this.#head, part: ownBytes(taken), total });
      this.#head = undefined;
    }
    this.#isBlocked = taken.length < bytes.length;
    if (this.#offset === total) this.#end();
    return [taken.length === bytes.length, this.#offset === total];
  }

  write(part: Uint8Array): boolean {
    this.#offset += part.length;
    this.#untaken += part.length;
    this.#post({ kind: 'chunk', id: this.#request.id, head: this.#head, part: ownBytes(part) });
    this.#head = undefined;
    this.#isBlocked = this.#untaken > windowBytes;
    return !this.#isBlocked;
  }

  end(body: Uint8Array | string = '', closeConnection = false): this {
    const bytes = typeof body === 'string' ? Buffer.from(body) : ownBytes(body);
    this.#post({ kind: 'end', id: this.#request.id, head: this.#head ?? '', body: bytes, closeConnection });
    this.#end();
    return this;
  }

  endWithoutBody(): this {
    this.#post({ kind: 'head', id: this.#request.id, head: this.#head ?? '' });
    this.#end();
    return this;
  }

  getWriteOffset(): number {
    return this.#offset;
  }

  close(): this {
    this.#post({ kind: 'close', id: this.#request.id });
    this.aborted();
    return this;
  }

  pause(): void {
    this.#post({ kind: 'pause', id: this.#request.id });
  }

  resume(): void {
    this.#post({ kind: 'resume', id: this.#request.id });
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return new TextEncoder().encode(this.#request.peer).buffer;
  }

  share(answer: SharedResponse, form: SharedForm): void {
    const { key, headers } = this.#request;
    // Otherwise strangers could fill the tables of threads with tags that they invent.
    const isOfInventedTag = headers.includes('if-none-match') && !form.head.startsWith('304');
    if (key !== undefined && !isOfInventedTag) this.#onShare(answer, key, form);
  }

  /** A part of the body of the request has arrived. */
  received(chunk: ArrayBuffer, isLast: boolean): void {
    if (!this.#isEnded) this.#onData(chunk, isLast);
  }

  /** The client has taken bytes of the answer. */
  taken(bytes: number): void {
    this.#untaken -= bytes;
    if (this.#isEnded || !this.#isBlocked) return;
    this.#isBlocked = false;
    this.#onWritable(this.#offset);
  }

  aborted(): void {
    if (this.#isEnded) return;
    this.#end();
    this.#onAborted();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd();
  }
}

interface RemoteResponderDeps {
  readonly post: (message: ToThread) => void;
  readonly onShare: (answer: SharedResponse, key: SharedKey, form: SharedForm) => void;
  readonly onEnd: () => void;
}

/** A message copies the whole buffer of a view, so a view of a larger buffer that is not shared is copied before. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof SharedArrayBuffer || bytes.byteLength === bytes.buffer.byteLength
    ? bytes
    : new Uint8Array(bytes);
}

export class RemoteRequestHead implements RequestHead {
  readonly #request: ForwardedRequest;

  constructor(request: ForwardedRequest) {
    this.#request = request;
  }

  getUrl(): string {
    return this.#request.path;
  }

  getQuery(): string {
    return this.#request.query;
  }

  getHeader(name: string): string {
    const { headers } = this.#request;
    for (let index = 0; index < headers.length; index += 2)
      if (headers[index] === name) return headers[index + 1] ?? '';
    return '';
  }

  forEach(visit: (name: string, value: string) => void): void {
    const { headers } = this.#request;
    for (let index = 0; index < headers.length; index += 2)
      visit(headers[index] ?? '', headers[index + 1] ?? '');
  }
}
