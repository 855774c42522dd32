import { SlotSet } from '../../base/slot-set.ts';

/** Bytes per second that a client must send at least, after the first seconds (as Apache's mod_reqtimeout). */
const minBytesPerSecond = 500;

/**
 * Bounds the time that bodies may take to arrive: `seconds`, and one more for every 500 bytes. Time in which the
 * server holds a client back does not count. One timer looks at all of them, because most bodies arrive with the head
 * of their request and need none; so a body may take up to a quarter longer, at most a second.
 */
export class BodyTimes {
  readonly #seconds: number;
  readonly #open = new SlotSet<BodyTime>();
  #timer: NodeJS.Timeout | undefined;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** @param request closed once when its time is over, unless the time was ended before */
  start(request: Closable): BodyTime {
    const time = new BodyTime(this.#open, request);
    this.#timer ??= setInterval(() => this.#look(), Math.min(1000, this.#seconds * 250)).unref();
    return time;
  }

  #look(): void {
    const now = performance.now();
    for (const time of this.#open) if (time.isOver(now, this.#seconds)) time.expire();
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

interface Closable {
  close(): void;
}

/** The time of one body. Nothing is done for each part of it but an addition. */
export class BodyTime {
  readonly #open: SlotSet<BodyTime>;
  readonly #slot: number;
  readonly #request: Closable;
  readonly #start = performance.now();
  #bytes = 0;
  #heldMs = 0;
  #heldSince: number | undefined;

  constructor(open: SlotSet<BodyTime>, request: Closable) {
    this.#open = open;
    this.#request = request;
    this.#slot = open.add(this);
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
    this.#open.remove(this.#slot, this);
  }

  isOver(now: number, seconds: number): boolean {
    const held = this.#heldMs + (this.#heldSince === undefined ? 0 : now - this.#heldSince);
    return now - this.#start - held >= (seconds + this.#bytes / minBytesPerSecond) * 1000;
  }

  expire(): void {
    this.end();
    this.#request.close();
  }
}
