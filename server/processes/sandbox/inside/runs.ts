import type { RunLimits } from '../model.ts';
import type { Faults } from './faults.ts';
import type { Outbox } from './outbox.ts';
import type { Fault, Run } from './run.ts';
import type { Tools } from './tools.ts';

/** The side of the isolate: functions that its process calls. */
export interface Runs {
  /**
   * Handles the records of a packet, or goes on with what is waiting if the packet is empty.
   *
   * @returns `1` if there is more to do at once, else `0`, and then the packet to send, if there is one
   */
  turn(packet: string): string;
  /** What the last turn returned. */
  lastAnswer(): string;
  /** Takes a compiled code. @param isBare whether it uses nothing but message and parameters */
  adopt(code: number, run: CompiledCode, isBare: boolean): void;
  /** Says why a code cannot run. */
  refuse(code: number, message: string, line: number, column: number): void;
  drop(code: number): void;
}

/** The author's code, compiled as a function of all it may use. */
export type CompiledCode = (
  store: object | undefined,
  idb: object | undefined,
  node: object | undefined,
  console: object | undefined,
  params: unknown,
  msg: unknown,
) => unknown;

/**
 * Makes the functions that run the authors' code. What holds:
 *
 *  1. Each run gets objects of its own: message, parameters, `store`, `idb`, `node`, `console`. When it has
 *     ended, nothing wakes its code again: its calls are answered no more, and there are no timers.
 *  2. Code of an author runs only inside `settle` or in reactions of promises. Whatever it throws, or however it
 *     behaves when its values are read, becomes the error of its run.
 *  3. A run that waits for nothing that the server could answer can never end. It fails at once.
 *
 * The text of this function runs in the isolate, so it may use nothing outside of itself. It is made before the
 * realm is frozen, and used only afterwards.
 */
export function createRuns(
  { messageLength }: Pick<RunLimits, 'messageLength'>,
  { describe }: Pick<Faults, 'describe'>,
  outbox: Outbox,
  tools: Tools,
): Runs {
  interface Item {
    readonly record: readonly number[];
    readonly texts: readonly (string | undefined)[];
    readonly isLastOfTurn: boolean;
  }

  /** Longest time before results are handed over, in milliseconds; the next run may take long. */
  const sliceMs = 2;
  const { now } = Date;
  const { parse } = JSON;

  interface Code {
    readonly run: CompiledCode;
    readonly isBare: boolean;
  }

  const codes = new Map<number, Code | Fault>();
  const runs = new Map<number, Run>();
  let items: Item[] = [];
  let nextItem = 0;
  /** Runs that did something since the last turn and have not ended. */
  let active: Run[] = [];
  let lastAnswer = '0';

  return {
    turn(packet) {
      failStuckRuns();
      if (packet !== '') readItems(packet);
      const end = now() + sliceMs;
      while (nextItem < items.length) {
        const item = items[nextItem];
        nextItem += 1;
        if (item === undefined) break;
        handle(item);
        if (item.isLastOfTurn || now() >= end) break;
      }
      if (nextItem === items.length) {
        items = [];
        nextItem = 0;
      }
      lastAnswer = (items.length > 0 || active.length > 0 ? '1' : '0') + outbox.take();
      return lastAnswer;
    },
    lastAnswer: () => lastAnswer,
    adopt(code, run, isBare) {
      codes.set(code, { run: Object.freeze(run), isBare });
    },
    refuse(code, message, line, column) {
      codes.set(code, { message, line, column });
    },
    drop(code) {
      codes.delete(code);
    },
  };

  function readItems(packet: string): void {
    const head = packet.indexOf('\n');
    const records: number[][] = parse(packet.slice(1, head));
    let at = head + 1;
    const next = (length: number): string | undefined => {
      if (length < 0) return undefined;
      const start = at;
      at += length;
      return packet.slice(start, at);
    };
    for (const record of records) {
      const textLengths = record[0] === 0 ? record.slice(5) : record[0] === 1 ? record.slice(4) : [];
      const isLastOfTurn = record[0] === 0 && record[4] === 1;
      items.push({ record, texts: textLengths.map(next), isLastOfTurn });
    }
  }

  function handle({ record, texts: [first, second] }: Item): void {
    const [kind, id = 0, detail = 0, flag = 0, atOnce] = record;
    if (kind === 0) start(id, detail, flag, atOnce === 2, first, second);
    else if (kind === 1) answer(id, detail, flag === 1, first);
    else end(runs.get(id));
  }

  function start(
    id: number,
    code: number,
    outputCount: number,
    sendsLogsAtOnce: boolean,
    message = '',
    params?: string,
  ): void {
    const outputs = Array.from({ length: outputCount }, (): string[] => []);
    const sendable = messageLength + message.length;
    const counts = { sendable, callCount: 0, sentLength: 0, sentCount: 0, logCount: 0, logLength: 0 };
    const run: Run = {
      id,
      outputs,
      sendsLogsAtOnce,
      calls: undefined,
      ...counts,
      isFollowed: false,
      isDone: false,
    };
    const compiled = codes.get(code);
    if (compiled === undefined || 'message' in compiled) {
      report(run, compiled ?? { message: 'the code is not known', line: 0, column: 0 });
      return;
    }
    const { run: execute, isBare } = compiled;
    settle(run, () =>
      execute(
        isBare ? undefined : tools.store(run),
        isBare ? undefined : tools.idb(run),
        isBare ? undefined : tools.node(run),
        isBare ? undefined : tools.console(run),
        params === undefined ? undefined : parse(params),
        parse(message),
      ),
    );
  }

  /** Runs a part of the author's code that gives the result of the run, or a promise of it. */
  function settle(run: Run, execute: () => unknown): void {
    try {
      const value = execute();
      if (isThenable(value)) follow(run, value);
      else finish(run, value);
    } catch (error) {
      report(run, describe(error));
    }
  }

  async function follow(run: Run, value: unknown): Promise<void> {
    run.isFollowed = true;
    runs.set(run.id, run);
    active.push(run);
    try {
      finish(run, await value);
    } catch (error) {
      report(run, describe(error));
    }
  }

  function isThenable(value: unknown): boolean {
    return (
      (typeof value === 'object' || typeof value === 'function') &&
      value !== null &&
      typeof Reflect.get(value, 'then') === 'function'
    );
  }

  function finish(run: Run, value: unknown): void {
    if (run.isDone) return;
    tools.send(run, value);
    report(run, undefined);
  }

  /** Ends a run with what it has sent, and with the fault that ended it, if there is one. */
  function report(run: Run, fault: Fault | undefined): void {
    if (run.isDone) return;
    end(run);
    const lengths = `[${run.outputs.map((sent) => `[${sent.map((text) => text.length).join()}]`).join()}]`;
    const faultHead =
      fault === undefined ? '-1,0,0' : `${fault.message.length},${fault.line},${fault.column}`;
    const sent = run.outputs.map((messages) => messages.join('')).join('');
    outbox.add(`[0,${run.id},${lengths},${faultHead}]`, sent + (fault?.message ?? ''));
  }

  function end(run: Run | undefined): void {
    if (run === undefined) return;
    run.isDone = true;
    // Most runs end at once; a map that grows and shrinks with each of them would have to be made anew all the time.
    if (run.isFollowed) runs.delete(run.id);
    run.calls = undefined;
  }

  /** All reactions of promises have run since the last turn, so a run without an open call waits for nothing. */
  function failStuckRuns(): void {
    const before = active;
    active = [];
    for (const run of before)
      if (!run.isDone && (run.calls === undefined || run.calls.size === 0))
        report(run, { message: 'the code waits for a promise that nothing resolves', line: 0, column: 0 });
  }

  function answer(id: number, callId: number, isResult: boolean, text: string | undefined): void {
    const run = runs.get(id);
    const open = run?.calls?.get(callId);
    if (run === undefined || open === undefined) return;
    run.calls?.delete(callId);
    active.push(run);
    if (isResult) open.resolve(text === undefined ? undefined : parse(text));
    else {
      Object.defineProperty(open.error, 'message', { value: text, writable: true, configurable: true });
      open.reject(open.error);
    }
  }
}
