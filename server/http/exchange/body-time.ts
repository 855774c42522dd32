/** Bytes per second that a client must send at least, after the first seconds (as Apache's mod_reqtimeout). */
const minBytesPerSecond = 500;

/**
 * Bounds the time that a body may take to arrive: `seconds`, and one more for every 500 bytes. Time in which the
 * server holds the client back does not count. Nothing is done for each part of a body but an addition.
 */
export class BodyTime {
  readonly #seconds: number;
  readonly #onExpiry: () => void;
  readonly #start = performance.now();
  #bytes = 0;
  #heldMs = 0;
  #heldSince: number | undefined;
  #timer: NodeJS.Timeout;

  constructor(seconds: number, onExpiry: () => void) {
    this.#seconds = seconds;
    this.#onExpiry = onExpiry;
    this.#timer = setTimeout(() => this.#check(), seconds * 1000);
  }

  arrived(bytes: number): void {
    this.#bytes += bytes;
  }

  pause(): void {
    this.#heldSince ??= performance.now();
  }

  resume(): void {
    if (this.#heldSince !== undefined) this.#heldMs += performance.now() - this.#heldSince;
    this.#heldSince = undefined;
  }

  /** To be called when the body is complete or nobody waits for it. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    const held = this.#heldMs + (this.#heldSince === undefined ? 0 : now - this.#heldSince);
    const allowedMs = (this.#seconds + this.#bytes / minBytesPerSecond) * 1000;
    const leftMs = allowedMs - (now - this.#start - held);
    if (leftMs <= 0) this.#onExpiry();
    // While the client is held back, the time left does not pass, so it is looked at again later.
    else this.#timer = setTimeout(() => this.#check(), Math.max(leftMs, 1000));
  }
}
