import type { RunLimits } from '../model.ts';
import type { Faults } from './faults.ts';
import type { Outbox } from './outbox.ts';
import type { Run } from './run.ts';

/** What code may use besides its message. */
export interface Tools {
  store(run: Run): object;
  idb(run: Run): object;
  node(run: Run): object;
  console(run: Run): object;
  /** Takes a message, or a list with an element for each output. @throws TypeError, RangeError */
  send(run: Run, value: unknown): void;
}

/**
 * Makes the objects of a run. They are its own, and do nothing any more when it has ended.
 *
 * The text of this function runs in the isolate, so it may use nothing outside of itself. It is made before the
 * realm is frozen, and used only afterwards.
 */
export function createTools(limits: RunLimits, { show }: Pick<Faults, 'show'>, outbox: Outbox): Tools {
  const maxEntryLength = 10_000;
  const { stringify } = JSON;

  return {
    store: (run) => ({
      get: (key: unknown) => call(run, 'store.get', [key]),
      set: (key: unknown, value: unknown) => call(run, 'store.set', [key, value]),
      keys: () => call(run, 'store.keys', []),
    }),
    idb(run) {
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
    },
    node: (run) => ({
      warn: (value: unknown) => log(run, 1, [value]),
      error: (value: unknown) => log(run, 2, [value]),
      send(message: unknown) {
        if (!run.isDone) send(run, message);
      },
    }),
    console(run) {
      const method =
        (level: number) =>
        (...values: unknown[]) =>
          log(run, level, values);
      return { log: method(0), warn: method(1), error: method(2) };
    },
    send,
  };

  function call(run: Run, name: string, args: unknown[]): Promise<unknown> {
    if (run.isDone) throw new Error('the run has ended');
    run.callCount += 1;
    if (run.callCount > limits.calls)
      throw new RangeError(`more than ${limits.calls} calls of store and idb in one run`);
    while (args.length > 0 && args[args.length - 1] === undefined) args.pop();
    const text = stringify(args);
    if (text.length > limits.messageLength) throw tooLong(`the arguments of ${name}`, limits.messageLength);
    const id = run.callCount;
    const error = new Error();
    return new Promise((resolve, reject) => {
      outbox.add(`[1,${run.id},${id},${name.length},${text.length}]`, name + text);
      run.calls ??= new Map();
      run.calls.set(id, { resolve, reject, error });
    });
  }

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
    if (run.sentLength > run.sendable) throw tooLong('what the code sends', run.sendable);
    if (run.sentCount > limits.messages)
      throw new RangeError(`more than ${limits.messages} messages sent in one run`);
    sent.push(text);
  }

  function tooLong(what: string, max: number): RangeError {
    return new RangeError(`${what} is longer than ${max} characters`);
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
    outbox.add(`[2,${run.id},${isFull ? 1 : level},${entry.length}]`, entry);
    if (run.sendsLogsAtOnce) outbox.sendNow();
  }
}
