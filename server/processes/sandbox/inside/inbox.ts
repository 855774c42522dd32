/** A record of the server (packets.ts) with its texts. */
export type InboxRecord = StartRecord | AnswerRecord | ForgetRecord;

/** Begins a run. */
export interface StartRecord {
  readonly kind: 'start';
  readonly runId: number;
  readonly codeId: number;
  readonly outputCount: number;
  /** Whether the turn ends with this record, so that its result waits for no other run. */
  readonly isLastOfTurn: boolean;
  readonly sendsLogsAtOnce: boolean;
  /** JSON. */
  readonly message: string;
  /** JSON; undefined if the run has no parameters. */
  readonly params: string | undefined;
}

/** The result or the error of a call of `store` or `idb`. */
export interface AnswerRecord {
  readonly kind: 'answer';
  readonly runId: number;
  readonly callId: number;
  readonly isResult: boolean;
  /** JSON of the result, or the text of the error. */
  readonly text: string | undefined;
}

/** Ends a run whose answers no longer count. */
export interface ForgetRecord {
  readonly kind: 'forget';
  readonly runId: number;
}

/**
 * The records that are waiting to be handled, in the order in which they came.
 *
 * The text of this class runs in the isolate, so it may use nothing outside of itself.
 */
export class Inbox {
  #records: InboxRecord[] = [];
  #nextIndex = 0;

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  /** Takes the oldest record out; undefined if there is none. */
  take(): InboxRecord | undefined {
    const record = this.#records[this.#nextIndex];
    this.#nextIndex += 1;
    if (this.#nextIndex >= this.#records.length) {
      this.#records = [];
      this.#nextIndex = 0;
    }
    return record;
  }

  /** Adds the records of a packet. */
  add(packet: string): void {
    const headEnd = packet.indexOf('\n');
    const records: number[][] = JSON.parse(packet.slice(1, headEnd));
    let at = headEnd + 1;
    const nextText = (length: number): string | undefined => {
      if (length < 0) return undefined;
      const start = at;
      at += length;
      return packet.slice(start, at);
    };
    for (const record of records) this.#records.push(this.#read(record, nextText));
  }

  /** The first number of a record is its kind. */
  #read(record: readonly number[], nextText: (length: number) => string | undefined): InboxRecord {
    const [kind, runId = 0] = record;
    if (kind === 0) {
      const [, , codeId = 0, outputCount = 0, atOnce, messageLength = 0, paramsLength = -1] = record;
      return {
        kind: 'start',
        runId,
        codeId,
        outputCount,
        isLastOfTurn: atOnce === 1,
        sendsLogsAtOnce: atOnce === 2,
        message: nextText(messageLength) ?? '',
        params: nextText(paramsLength),
      };
    }
    if (kind === 1) {
      const [, , callId = 0, isResult, textLength = -1] = record;
      return { kind: 'answer', runId, callId, isResult: isResult === 1, text: nextText(textLength) };
    }
    return { kind: 'forget', runId };
  }
}
