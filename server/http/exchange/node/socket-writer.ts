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
  /** Whether the socket may need bytes longer than the call, though it reports nothing as waiting. */
  readonly #copies: boolean;
  readonly #onTaken: () => void;
  #isBatching = false;

  /**
   * @param copies for sockets that encrypt: they never take bytes at once
   * @param onTaken called when the client may have taken what it did not take at once
   */
  constructor(socket: Socket, copies: boolean, onTaken: () => void) {
    this.#socket = socket;
    this.#copies = copies;
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
    this.#socket.write(this.#takeShared(), onTaken);
    this.#keepShared();
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

  /** Sends what was written and these bytes with one call. */
  #sendDirectly(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (owner !== this || used === 0) {
      socket.write(bytes, this.#onTaken);
      return;
    }
    socket.cork();
    socket.write(this.#takeShared());
    socket.write(bytes, this.#onTaken);
    socket.uncork();
    this.#keepShared();
  }

  #takeShared(): Uint8Array {
    const bytes = viewOf(used);
    used = 0;
    return this.#copies ? Buffer.from(bytes) : bytes;
  }

  /** Leaves the buffer to the socket if the system has not taken all of it. */
  #keepShared(): void {
    if (this.#copies || this.#socket.writableLength === 0) return;
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
