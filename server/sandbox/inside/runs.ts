import type { RunLimits } from '../model.ts';
import type { Host } from './globals.ts';

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
  /** Takes a compiled code. */
  adopt(code: number, run: CompiledCode): void;
  /** Says why a code cannot run. */
  refuse(code: number, message: string, line: number, column: number): void;
  drop(code: number): void;
}

/** The author's code, compiled as a function of all it may use. */
export type CompiledCode = (
  store: object,
  idb: object,
  node: object,
  console: object,
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
export function createRuns(host: Host, limits: RunLimits): Runs {
  interface Run {
    readonly id: number;
    readonly outputs: string[][];
    readonly sendsLogsAtOnce: boolean;
    readonly calls: Map<number, Call>;
    callCount: number;
    sentLength: number;
    sentCount: number;
    logCount: number;
    logLength: number;
    isDone: boolean;
  }
  interface Call {
    resolve(value: unknown): void;
    reject(error: Error): void;
    /** Made at the call, so that its stack tells where that is. */
    readonly error: Error;
  }
  interface Fault {
    readonly message: string;
    readonly line: number;
    readonly column: number;
  }
  interface OutRecord {
    readonly head: string;
    readonly text: string;
  }
  interface Item {
    readonly record: readonly number[];
    readonly texts: readonly (string | undefined)[];
    readonly isLastOfTurn: boolean;
  }

  /** Longest time before results are handed over, in milliseconds; the next run may take long. */
  const sliceMs = 2;
  const maxErrorLength = 2_000;
  const maxEntryLength = 10_000;
  const { now } = Date;
  const { stringify, parse } = JSON;

  const codes = new Map<number, CompiledCode | Fault>();
  const runs = new Map<number, Run>();
  let items: Item[] = [];
  let nextItem = 0;
  /** Runs that did something since the last turn and have not ended. */
  let active: Run[] = [];
  /** Records to send. One step adds a whole record, because code can let any step fail by filling the stack. */
  let records: OutRecord[] = [];
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
      lastAnswer = (items.length > 0 || active.length > 0 ? '1' : '0') + takePacket();
      return lastAnswer;
    },
    lastAnswer: () => lastAnswer,
    adopt(code, run) {
      codes.set(code, Object.freeze(run));
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
    const counts = { callCount: 0, sentLength: 0, sentCount: 0, logCount: 0, logLength: 0 };
    const run: Run = { id, outputs, sendsLogsAtOnce, calls: new Map(), ...counts, isDone: false };
    const compiled = codes.get(code);
    if (typeof compiled !== 'function') {
      report(run, compiled ?? { message: 'the code is not known', line: 0, column: 0 });
      return;
    }
    runs.set(id, run);
    settle(run, () =>
      compiled(
        storeOf(run),
        idbOf(run),
        nodeOf(run),
        consoleOf(run),
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
    send(run, value);
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
    records.push({ head: `[0,${run.id},${lengths},${faultHead}]`, text: sent + (fault?.message ?? '') });
  }

  function end(run: Run | undefined): void {
    if (run === undefined) return;
    run.isDone = true;
    run.calls.clear();
    runs.delete(run.id);
  }

  /** All reactions of promises have run since the last turn, so a run without an open call waits for nothing. */
  function failStuckRuns(): void {
    const before = active;
    active = [];
    for (const run of before)
      if (!run.isDone && run.calls.size === 0)
        report(run, { message: 'the code waits for a promise that nothing resolves', line: 0, column: 0 });
  }

  // What code may use.

  function storeOf(run: Run): object {
    return {
      get: (key: unknown) => call(run, 'store.get', [key]),
      set: (key: unknown, value: unknown) => call(run, 'store.set', [key, value]),
      keys: () => call(run, 'store.keys', []),
    };
  }

  function idbOf(run: Run): object {
    const method =
      (name: string) =>
      (...args: unknown[]) =>
        call(run, name, args);
    return {
      tables: method('idb.tables'),
      schema: method('idb.schema'),
      list: method('idb.list'),
      get: method('idb.get'),
      create: method('idb.create'),
      update: method('idb.update'),
      delete: method('idb.delete'),
    };
  }

  function nodeOf(run: Run): object {
    return {
      warn: (value: unknown) => log(run, 1, [value]),
      error: (value: unknown) => log(run, 2, [value]),
      send(message: unknown) {
        if (!run.isDone) send(run, message);
      },
    };
  }

  function consoleOf(run: Run): object {
    const method =
      (level: number) =>
      (...values: unknown[]) =>
        log(run, level, values);
    return { log: method(0), warn: method(1), error: method(2) };
  }

  function call(run: Run, name: string, args: unknown[]): Promise<unknown> {
    if (run.isDone) throw new Error('the run has ended');
    run.callCount += 1;
    if (run.callCount > limits.calls)
      throw new RangeError(`more than ${limits.calls} calls of store and idb in one run`);
    while (args.length > 0 && args[args.length - 1] === undefined) args.pop();
    const text = stringify(args);
    if (text.length > limits.messageLength) throw tooLong(`the arguments of ${name}`);
    const id = run.callCount;
    const error = new Error();
    return new Promise((resolve, reject) => {
      records.push({ head: `[1,${run.id},${id},${name.length},${text.length}]`, text: name + text });
      run.calls.set(id, { resolve, reject, error });
    });
  }

  function answer(id: number, callId: number, isResult: boolean, text: string | undefined): void {
    const run = runs.get(id);
    const open = run?.calls.get(callId);
    if (run === undefined || open === undefined) return;
    run.calls.delete(callId);
    active.push(run);
    if (isResult) open.resolve(text === undefined ? undefined : parse(text));
    else {
      Object.defineProperty(open.error, 'message', { value: text, writable: true, configurable: true });
      open.reject(open.error);
    }
  }

  /** Takes a message, or a list with an element for each output. */
  function send(run: Run, value: unknown): void {
    if (value === undefined || value === null) return;
    if (!Array.isArray(value)) {
      put(run, 0, value);
      return;
    }
    const { length } = value;
    if (length > run.outputs.length)
      throw new TypeError(
        `a list with ${length} elements was sent, but there is one element for each of ${run.outputs.length} outputs; several messages for one output are a list in that element`,
      );
    for (let output = 0; output < length; output += 1) {
      const element: unknown = value[output];
      if (Array.isArray(element)) for (const message of element) put(run, output, message);
      else put(run, output, element);
    }
  }

  function put(run: Run, output: number, message: unknown): void {
    if (message === undefined || message === null) return;
    const sent = run.outputs[output];
    if (sent === undefined) throw new TypeError('a message was sent, but the node has no outputs');
    const text: string | undefined = stringify(message);
    if (text === undefined || text[0] !== '{')
      throw new TypeError(`a message must be an object, and not ${show(message).slice(0, 100)}`);
    run.sentLength += text.length;
    run.sentCount += 1;
    if (run.sentLength > limits.messageLength) throw tooLong('what the code sends');
    if (run.sentCount > limits.messages)
      throw new RangeError(`more than ${limits.messages} messages sent in one run`);
    sent.push(text);
  }

  function tooLong(what: string): RangeError {
    return new RangeError(`${what} is longer than ${limits.messageLength} characters`);
  }

  function log(run: Run, level: number, values: readonly unknown[]): void {
    if (run.isDone || run.logCount > limits.logEntries) return;
    run.logCount += 1;
    const isFull = run.logCount > limits.logEntries || run.logLength > limits.logLength;
    if (isFull) run.logCount = limits.logEntries + 1;
    const entry = isFull
      ? 'further log entries of this run are left out'
      : values.map(show).join(' ').slice(0, maxEntryLength);
    run.logLength += entry.length;
    records.push({ head: `[2,${run.id},${isFull ? 1 : level},${entry.length}]`, text: entry });
    if (run.sendsLogsAtOnce) host('send', takePacket());
  }

  /** Text of any value, for people. */
  function show(value: unknown): string {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof Error) return describe(value).message;
      return (typeof value === 'object' ? stringify(value) : undefined) ?? String(value);
    } catch {
      return 'a value that cannot be shown';
    }
  }

  /** What an author reads about a thrown value, and where in the code it was made. */
  function describe(error: unknown): Fault {
    try {
      if (!(error instanceof Error))
        return { message: show(error).slice(0, maxErrorLength), line: 0, column: 0 };
      const name = String(error.name);
      const text = String(error.message).slice(0, maxErrorLength);
      const [, line = '0', column = '0'] =
        /^ +at .*?<code>:(\d+):(\d+)/m.exec(String(error.stack).slice(-maxEntryLength)) ?? [];
      return {
        message: name === 'Error' ? text : `${name.slice(0, 100)}: ${text}`,
        line: Number(line),
        column: Number(column),
      };
    } catch {
      return { message: 'an error that cannot be shown', line: 0, column: 0 };
    }
  }

  function takePacket(): string {
    if (records.length === 0) return '';
    const packet = `R[${records.map(({ head }) => head).join()}]\n${records.map(({ text }) => text).join('')}`;
    records = [];
    return packet;
  }
}
