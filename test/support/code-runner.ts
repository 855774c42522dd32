import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Cancellation,
  CodeFault,
  CodeResult,
  CodeRunner,
  CodeTask,
} from '../../server/processes/sandbox/model.ts';

/** What code of an author can do in these tests. */
interface Author {
  readonly msg: Record<string, unknown>;
  readonly params: unknown;
  readonly store: Record<'get' | 'set' | 'keys', (...args: unknown[]) => Promise<unknown>>;
  readonly idb: { list(...args: unknown[]): Promise<unknown> };
  readonly node: { warn(value: unknown): void; send(msg: unknown): void };
  readonly console: { log(value: unknown): void };
}

type Body = (author: Author) => unknown;

/**
 * Runs code of authors without a sandbox: the code is the name of one of the given functions. `syntax` is code that
 * does not parse.
 */
export function fakeCode(bodies: Readonly<Record<string, Body>>): CodeRunner {
  return {
    expectRuns: () => {},
    check: async (code) => (code.startsWith('syntax') ? syntaxFault : undefined),
    start(task, listener) {
      this.run(task).then(
        (result) => listener.done(result),
        (error) => listener.failed(error),
      );
    },
    async run(task): Promise<CodeResult> {
      const body = bodies[task.code];
      if (body === undefined) return { outputs: [], error: syntaxFault };
      let isDone = false;
      const sent: string[][] = Array.from({ length: task.outputs }, () => []);
      try {
        const returned = await Promise.race([body(authorOf(task, sent)), aborted(task.signal, () => isDone)]);
        const list = Array.isArray(returned) ? returned : [returned];
        for (const [output, messages] of list.entries())
          for (const message of Array.isArray(messages) ? messages : [messages])
            if (message !== undefined && message !== null) sent[output]?.push(JSON.stringify(message));
        return { outputs: sent };
      } catch (error) {
        return { outputs: [], error: { message: String(error), line: 2, column: 5 } };
      } finally {
        isDone = true;
      }
    },
  };
}

const syntaxFault: CodeFault = { message: 'unexpected token', line: 1, column: 7 };

function authorOf(task: CodeTask, sent: string[][]): Author {
  const { message, params } = task;
  const ask =
    (name: string) =>
    async (...args: unknown[]) => {
      const answer = await task.call(name, JSON.stringify(args));
      return answer === undefined ? undefined : JSON.parse(answer);
    };
  return {
    msg: JSON.parse(message),
    params: params === undefined ? undefined : JSON.parse(params),
    store: { get: ask('store.get'), set: ask('store.set'), keys: ask('store.keys') },
    idb: { list: ask('idb.list') },
    node: {
      warn: (value) => task.log('warn', String(value)),
      send: (msg) => sent[0]?.push(JSON.stringify(msg)),
    },
    console: { log: (value) => task.log('log', String(value)) },
  };
}

/** Looks in each turn, as the sandbox looks from time to time. */
async function aborted(signal: Cancellation, isDone: () => boolean): Promise<void> {
  while (!signal.aborted && !isDone()) await nextTurn();
  if (!isDone()) throw new Error('ended');
}
