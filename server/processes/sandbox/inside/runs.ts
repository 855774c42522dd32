import type { RunLimits } from '../model.ts';
import type { Faults } from './faults.ts';
import type { AnswerRecord, Inbox, InboxRecord, StartRecord } from './inbox.ts';
import type { Outbox } from './outbox.ts';
import type { Fault, Run } from './run.ts';
import type { Tools } from './tools.ts';

/** The author's code, compiled as a function of all it may use. */
export type CompiledCode = (
  store: object | undefined,
  idb: object | undefined,
  node: object | undefined,
  console: object | undefined,
  params: unknown,
  msg: unknown,
) => unknown;

interface RunnableCode {
  readonly execute: CompiledCode;
  /** Whether it uses nothing but message and parameters. */
  readonly isBare: boolean;
}

/**
 * Runs the authors' code. What holds:
 *
 *  1. Each run gets objects of its own: message, parameters, `store`, `idb`, `node`, `console`. When it has
 *     ended, nothing wakes its code again: its calls are answered no more, and there are no timers.
 *  2. Code of an author runs only inside `#settle` or in reactions of promises. Whatever it throws, or however it
 *     behaves when its values are read, becomes the error of its run.
 *  3. A run that waits for nothing that the server could answer can never end. It fails at once.
 *
 * The text of this class runs in the isolate, so it may use nothing outside of itself. Its object is made before the
 * realm is frozen, and used only afterwards.
 */
export class Runs {
  readonly #limits: Pick<RunLimits, 'messageLength'>;
  readonly #faults: Pick<Faults, 'describe'>;
  readonly #tools: Tools;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  /** What can run, or why it cannot, by number of the code. */
  readonly #codes = new Map<number, RunnableCode | Fault>();
  /** Runs that have returned a promise and have not ended, by number. */
  readonly #waitingRuns = new Map<number, Run>();
  /** Runs that did something since the last turn and have not ended. */
  #activeRuns: Run[] = [];
  #lastAnswer = '0';

  constructor(
    limits: Pick<RunLimits, 'messageLength'>,
    faults: Pick<Faults, 'describe'>,
    tools: Tools,
    inbox: Inbox,
    outbox: Outbox,
  ) {
    this.#limits = limits;
    this.#faults = faults;
    this.#tools = tools;
    this.#inbox = inbox;
    this.#outbox = outbox;
  }

  /** Takes a compiled code. @param isBare whether it uses nothing but message and parameters */
  adopt(codeId: number, execute: CompiledCode, isBare: boolean): void {
    this.#codes.set(codeId, { execute: Object.freeze(execute), isBare });
  }

  /** Says why a code cannot run. */
  refuse(codeId: number, message: string, line: number, column: number): void {
    this.#codes.set(codeId, { message, line, column });
  }

  drop(codeId: number): void {
    this.#codes.delete(codeId);
  }

  /**
   * Handles the records of a packet, or goes on with what is waiting if the packet is empty.
   *
   * @returns `1` if there is more to do at once, else `0`, and then the packet to send, if there is one
   */
  turn(packet: string): string {
    this.#failStuckRuns();
    if (packet !== '') this.#inbox.add(packet);
    this.#handleRecords();
    const hasMore = !this.#inbox.isEmpty || this.#activeRuns.length > 0;
    this.#lastAnswer = (hasMore ? '1' : '0') + this.#outbox.take();
    return this.#lastAnswer;
  }

  /** What the last turn returned. */
  lastAnswer(): string {
    return this.#lastAnswer;
  }

  /** All reactions of promises have run since the last turn, so a run without an open call waits for nothing. */
  #failStuckRuns(): void {
    const runs = this.#activeRuns;
    this.#activeRuns = [];
    for (const run of runs)
      if (!run.isDone && (run.calls === undefined || run.calls.size === 0))
        this.#report(run, {
          message: 'the code waits for a promise that nothing resolves',
          line: 0,
          column: 0,
        });
  }

  /** Handles records for at most 2 ms before results are handed over: the next run may take long. */
  #handleRecords(): void {
    const endMs = Date.now() + 2;
    for (let record = this.#inbox.take(); record !== undefined; record = this.#inbox.take()) {
      this.#handle(record);
      if ((record.kind === 'start' && record.isLastOfTurn) || Date.now() >= endMs) return;
    }
  }

  #handle(record: InboxRecord): void {
    if (record.kind === 'start') this.#start(record);
    else if (record.kind === 'answer') this.#answer(record);
    else {
      const run = this.#waitingRuns.get(record.runId);
      if (run !== undefined) this.#end(run);
    }
  }

  #start(record: StartRecord): void {
    const run = this.#createRun(record);
    const code = this.#codes.get(record.codeId);
    if (code === undefined) this.#report(run, { message: 'the code is not known', line: 0, column: 0 });
    else if ('message' in code) this.#report(run, code);
    else this.#settle(run, code, record);
  }

  #createRun({ runId, outputCount, sendsLogsAtOnce, message }: StartRecord): Run {
    return {
      id: runId,
      outputs: Array.from({ length: outputCount }, (): string[] => []),
      sendsLogsAtOnce,
      calls: undefined,
      sendable: this.#limits.messageLength + message.length,
      callCount: 0,
      sentLength: 0,
      sentCount: 0,
      logCount: 0,
      logLength: 0,
      isFollowed: false,
      isDone: false,
    };
  }

  /** Runs the author's code up to its result, or to a promise of it. */
  #settle(run: Run, code: RunnableCode, record: StartRecord): void {
    try {
      const value = this.#execute(run, code, record);
      if (this.#isThenable(value)) void this.#follow(run, value);
      else this.#finish(run, value);
    } catch (error) {
      this.#report(run, this.#faults.describe(error));
    }
  }

  #execute(run: Run, { execute, isBare }: RunnableCode, { message, params }: StartRecord): unknown {
    const tools = isBare ? undefined : this.#tools;
    return execute(
      tools?.store(run),
      tools?.idb(run),
      tools?.node(run),
      tools?.console(run),
      params === undefined ? undefined : JSON.parse(params),
      JSON.parse(message),
    );
  }

  #isThenable(value: unknown): boolean {
    return (
      (typeof value === 'object' || typeof value === 'function') &&
      value !== null &&
      typeof Reflect.get(value, 'then') === 'function'
    );
  }

  async #follow(run: Run, promise: unknown): Promise<void> {
    run.isFollowed = true;
    this.#waitingRuns.set(run.id, run);
    this.#activeRuns.push(run);
    try {
      this.#finish(run, await promise);
    } catch (error) {
      this.#report(run, this.#faults.describe(error));
    }
  }

  /** Gives a call of a run its result or error, which wakes the run. */
  #answer({ runId, callId, isResult, text }: AnswerRecord): void {
    const run = this.#waitingRuns.get(runId);
    const call = run?.calls?.get(callId);
    if (run === undefined || call === undefined) return;
    run.calls?.delete(callId);
    this.#activeRuns.push(run);
    if (isResult) {
      call.resolve(text === undefined ? undefined : JSON.parse(text));
      return;
    }
    Object.defineProperty(call.error, 'message', { value: text, writable: true, configurable: true });
    call.reject(call.error);
  }

  #finish(run: Run, value: unknown): void {
    if (run.isDone) return;
    this.#tools.send(run, value);
    this.#report(run, undefined);
  }

  /** Ends a run with what it has sent, and with the fault that ended it, if there is one. */
  #report(run: Run, fault: Fault | undefined): void {
    if (run.isDone) return;
    this.#end(run);
    const lengths = `[${run.outputs.map((sent) => `[${sent.map((text) => text.length).join()}]`).join()}]`;
    const faultHead =
      fault === undefined ? '-1,0,0' : `${fault.message.length},${fault.line},${fault.column}`;
    const sent = run.outputs.map((messages) => messages.join('')).join('');
    this.#outbox.add(`[0,${run.id},${lengths},${faultHead}]`, sent + (fault?.message ?? ''));
  }

  #end(run: Run): void {
    run.isDone = true;
    run.calls = undefined;
    // Most runs return no promise; a map that grew and shrank with each of them would be rebuilt all the time.
    if (run.isFollowed) this.#waitingRuns.delete(run.id);
  }
}
