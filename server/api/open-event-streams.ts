import type { Actor } from '../base/actor.ts';
import { busy, tooMany } from '../base/errors.ts';
import { forEachInSlices, type StartTimer } from '../base/timers.ts';
import { EventStream } from '../http/body/events.ts';

/** Streams at the same time, of all callers and of one; each holds a connection. */
const maxStreams = 500;
const maxStreamsOfCaller = 100;
/** When a caller that was refused may try again, in milliseconds. */
const retryMs = 10_000;
/**
 * How often callers are looked up again, in milliseconds. A session ends with time, and the command line ends sessions
 * beside a running server, so no commit tells of either.
 */
const checkMs = 1000;

export interface OpenEventStreamsOptions {
  /** Whether the credential of a caller is still valid. */
  readonly isStillValid: (actor: Actor) => Promise<boolean>;
  /** Whether this node may answer requests now. */
  readonly serves: () => boolean;
  readonly later: StartTimer;
}

interface OpenStream {
  readonly actor: Actor;
  /** Whose stream it is. A user may have several sessions. */
  readonly caller: string;
  readonly path: string;
  readonly over: AbortController;
}

/** What an event stream is counted with. */
export interface StreamLimit {
  readonly path: string;
  /** Streams of this path at the same time. */
  readonly most: number;
}

/**
 * Counts the event streams that are open and ends them when the credential of their caller is not valid any more.
 * Every other answer is over soon after its caller was checked.
 */
export class OpenEventStreams {
  readonly #options: OpenEventStreamsOptions;
  readonly #open = new Set<OpenStream>();
  #cancelCheck: (() => void) | undefined;

  constructor(options: OpenEventStreamsOptions) {
    this.#options = options;
  }

  /**
   * The stream as one that is counted from now on, until it ends or is discarded.
   *
   * @throws ApiError `common.rateLimited` when the caller has too many, `common.busy` when all have
   */
  admit(actor: Actor, events: EventStream, { path, most }: StreamLimit): EventStream {
    const stream = { actor, caller: nameCaller(actor), path, over: new AbortController() };
    const refusal = this.#findRefusal(stream, most);
    if (refusal !== undefined) {
      events.discard();
      throw refusal;
    }
    this.#open.add(stream);
    this.#planCheck();
    return new EventStream((signal) => this.#run(stream, events, signal), {
      over: stream.over.signal,
      discard: () => {
        this.#remove(stream);
        events.discard();
      },
    });
  }

  /** Ends the streams whose callers are not valid any more. @param kind only those of such callers */
  async endInvalid(kind?: Actor['kind']): Promise<void> {
    const streams = [...this.#open].filter(({ actor }) => kind === undefined || actor.kind === kind);
    const byCredential = Map.groupBy(streams, ({ actor, caller }) =>
      actor.kind === 'session' ? actor.sessionHash : caller,
    );
    await forEachInSlices(byCredential.values(), async (ofOne) => {
      const [first] = ofOne;
      if (first === undefined || (await this.#isValid(first.actor))) return;
      for (const { over } of ofOne) over.abort();
    });
  }

  #findRefusal({ caller, path }: OpenStream, most: number) {
    let [ofCaller, ofPath] = [0, 0];
    for (const other of this.#open) {
      if (other.caller === caller) ofCaller += 1;
      if (other.path === path) ofPath += 1;
    }
    if (ofCaller >= maxStreamsOfCaller) return tooMany('common.rateLimited', retryMs);
    return this.#open.size >= maxStreams || ofPath >= most ? busy(retryMs / 1000) : undefined;
  }

  async *#run(stream: OpenStream, events: EventStream, signal: AbortSignal): AsyncGenerator<string> {
    const over = stream.over.signal;
    try {
      for await (const text of events.open(AbortSignal.any([signal, over]))) {
        if (over.aborted) return;
        yield text;
      }
    } finally {
      this.#remove(stream);
    }
  }

  #remove(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
  }

  #planCheck(): void {
    this.#cancelCheck ??= this.#options.later(checkMs, () => void this.#check());
  }

  async #check(): Promise<void> {
    this.#cancelCheck = undefined;
    // A node that may not serve does not learn what others have ended.
    if (!this.#options.serves()) for (const { over } of this.#open) over.abort();
    await this.endInvalid();
    if (this.#open.size > 0) this.#planCheck();
  }

  /** A caller that cannot be looked up counts as one that has gone: its client connects again and is told why. */
  #isValid(actor: Actor): Promise<boolean> {
    return this.#options.isStillValid(actor).catch(() => false);
  }
}

function nameCaller(actor: Actor): string {
  if (actor.kind === 'session') return `session ${actor.userId}`;
  return actor.kind === 'token' ? `token ${actor.id}` : actor.kind;
}
