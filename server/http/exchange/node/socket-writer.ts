import type { Socket } from 'node:net';

/** Bytes that wait to be written together. */
const sharedBytes = 32 * 2 ** 10;

/** Larger parts are written from where they lie; copying smaller ones costs less than a second buffer. */
export const copiedBytes = 16 * 2 ** 10;

/**
 * All sockets write through one buffer, because nearly always the system takes everything at once and the buffer is free
 * again. What a client does not take stays in the buffer, and the next writer gets a new one.
 */
let shared = Buffer.allocUnsafeSlow(sharedBytes);
let used = 0;
/** The first bytes of the buffer by their number: making an object for them takes as long as filling them. */
const views = new Map<number, Buffer>();
const maxViews = 1000;
/** Whose bytes are in the buffer. */
let owner: SocketWriter | undefined;

/** Writes to a socket, as much as possible with one call. */
export class SocketWriter {
  readonly #socket: Socket;
  /** Whether the socket encrypts: then it never takes bytes at once, and has a copy of what waits. */
  readonly encrypts: boolean;
  readonly #onTaken: () => void;
  #isBatching = false;

  /**
   * @param encrypts whether the socket does
   * @param onTaken called when the client may have taken what it did not take at once
   */
  constructor(socket: Socket, encrypts: boolean, onTaken: () => void) {
    this.#socket = socket;
    this.encrypts = encrypts;
    this.#onTaken = onTaken;
  }

  /** Whether something that was sent waits for the client, or the client has gone and its `close` is to come. */
  get isBlocked(): boolean {
    return this.#socket.writableLength > 0 || this.#socket.destroyed;
  }

  /** Sends what is written until `endBatch` together. @returns false if there is a batch already */
  beginBatch(): boolean {
    if (this.#isBatching) return false;
    this.#isBatching = true;
    return true;
  }

  endBatch(): void {
    this.#isBatching = false;
    this.flush();
  }

  /** To be called after the last of several writes: sends them, unless a batch does. */
  settle(): void {
    if (!this.#isBatching) this.flush();
  }

  text(text: string): void {
    // A character takes at most three bytes.
    if (this.#takeRoom(text.length * 3)) used += shared.write(text, used);
    else this.#sendDirectly(Buffer.from(text));
  }

  /** Writes a copy of the bytes, which may change afterwards. */
  copy(bytes: Uint8Array): void {
    if (!this.#takeRoom(bytes.length)) {
      this.#sendDirectly(Buffer.from(bytes));
      return;
    }
    shared.set(bytes, used);
    used += bytes.length;
  }

  /** Sends bytes that do not change any more. `onTaken` follows. */
  send(bytes: Uint8Array): void {
    if (bytes.length > copiedBytes) {
      this.#sendDirectly(bytes);
      return;
    }
    this.copy(bytes);
    this.flush(this.#onTaken);
  }

  /** Sends what was written. @param onTaken called when the client may have taken it */
  flush(onTaken?: () => void): void {
    if (owner !== this || used === 0) return;
    this.#sendShared(onTaken);
  }

  /** The same with `onTaken` of the writer. */
  flushAndTell(): void {
    this.flush(this.#onTaken);
  }

  /** Makes room in the buffer and sends what others have there; false if there is never so much. */
  #takeRoom(bytes: number): boolean {
    if (owner !== this) {
      owner?.flush();
      owner = this;
    }
    if (used + bytes > sharedBytes) this.flush();
    return bytes <= sharedBytes;
  }

  #sendDirectly(bytes: Uint8Array): void {
    if (owner !== this || used === 0) this.#socket.write(bytes, this.#onTaken);
    else this.#sendShared(this.#onTaken, bytes);
  }

  /** Sends what was written, and `more` with the same call. */
  #sendShared(onTaken: (() => void) | undefined, more?: Uint8Array): void {
    const socket = this.#socket;
    const view = viewOf(used);
    used = 0;
    // Few bytes that wait behind others must not hold the whole buffer.
    const isLent = !this.encrypts && socket.writableLength === 0;
    const bytes = isLent ? view : Buffer.from(view);
    if (more === undefined) {
      socket.write(bytes, onTaken);
    } else {
      socket.cork();
      socket.write(bytes);
      socket.write(more, onTaken);
      socket.uncork();
    }
    if (!isLent || socket.writableLength === 0) return;
    // The system has not taken all of it: the socket needs the buffer longer.
    shared = Buffer.allocUnsafeSlow(sharedBytes);
    views.clear();
  }
}

function viewOf(bytes: number): Buffer {
  let view = views.get(bytes);
  if (view !== undefined) return view;
  if (views.size >= maxViews) views.clear();
  view = shared.subarray(0, bytes);
  views.set(bytes, view);
  return view;
}
