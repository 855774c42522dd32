/** What function and custom nodes share: running code of an author. */
import type {
  Cancellation,
  CodeListener,
  LogLevel as CodeLogLevel,
  CodeResult,
  CodeTask,
} from '../../../processes/sandbox/model.ts';
import { type CodeNodeRun, Message, type NodeRun } from '../message/message.ts';
import type { NodeServices } from '../node-services.ts';
import type { ExternalDatabases } from '../parts.ts';
import type { NodeOutput } from './node-type.ts';

/** Most calls of `store.*` and `idb.*` in one execution. */
const maxCalls = 10_000;

interface CodeToRun extends Pick<CodeTask, 'code' | 'outputs'> {
  /** Parameters of a custom node. */
  readonly params?: object;
}

/** Tells `run` what the code has sent, or an error with line and column of the code. */
export function runCode(
  services: NodeServices,
  code: CodeToRun,
  message: Message,
  run: CodeNodeRun,
): undefined {
  const task = new CodeExecution(services, code, message, run);
  services.code.start(task, task);
}

class CodeExecution implements CodeTask, CodeListener {
  readonly code: string;
  readonly outputs: number;
  readonly message: string;
  readonly params: string | undefined;
  readonly signal: Cancellation;
  readonly #services: NodeServices;
  readonly #run: CodeNodeRun;
  #calls: CodeTask['call'] | undefined;

  constructor(
    services: NodeServices,
    { code, outputs, params }: CodeToRun,
    message: Message,
    run: CodeNodeRun,
  ) {
    this.code = code;
    this.outputs = outputs;
    this.message = message.json;
    this.params = params === undefined ? undefined : JSON.stringify(params);
    this.signal = run.flow;
    this.#services = services;
    this.#run = run;
  }

  call(name: string, args: string): Promise<string | undefined> {
    this.#calls ??= callsOf(this.#services, this.#run);
    return this.#calls(name, args);
  }

  log(level: CodeLogLevel, text: string): void {
    this.#run.log(level === 'log' ? 'info' : level, text);
  }

  done({ outputs, error }: CodeResult): void {
    if (error !== undefined) this.failed(new Error(textOfFault(error)));
    else {
      const sent = messagesOf(outputs.slice(0, this.outputs));
      if (sent === undefined) this.failed(new Error('a message must be an object'));
      else this.#run.finished(sent);
    }
  }

  failed(error: unknown): void {
    this.#run.failed(error);
  }
}

/** Undefined if one is no object. */
function messagesOf(outputs: CodeResult['outputs']): NodeOutput | undefined {
  if (outputs.some((texts) => texts.some((text) => !text.startsWith('{')))) return undefined;
  return outputs.map((texts) => texts.map((text) => Message.parse(text)));
}

function textOfFault(fault: NonNullable<CodeResult['error']>): string {
  return 'line' in fault ? `${fault.message} (line ${fault.line}, column ${fault.column})` : fault.message;
}

/** Answers calls of the code one after the other, so that a flood of them waits here and not in the database. */
function callsOf({ values, databases }: NodeServices, { flow }: NodeRun): CodeTask['call'] {
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  return (name, args) => {
    count += 1;
    if (count > maxCalls) return Promise.reject(new Error(`there are more than ${maxCalls} calls`));
    const answer = last.then(() => {
      flow.signal.throwIfAborted();
      return answerCall(name, parseArgs(args));
    });
    last = answer.catch(() => undefined);
    return answer;
  };

  async function answerCall(name: string, args: readonly unknown[]): Promise<string | undefined> {
    const [group, action = ''] = name.split('.', 2);
    if (group === 'store') return values.call(flow.actor.id, action, args);
    if (group !== 'idb') throw new Error(`there is no ${name}()`);
    return callDatabase(databases, action, args, flow.signal);
  }
}

/** Answers `idb.*` as JSON text. @param args of the call */
export async function callDatabase(
  databases: ExternalDatabases,
  action: string,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<string> {
  return JSON.stringify(await databases.call(String(args[0]), action, databaseArgs(action, args), signal));
}

/** The arguments of a call. */
export function parseArgs(args: string): readonly unknown[] {
  const list: unknown = JSON.parse(args);
  return Array.isArray(list) ? list : [];
}

/** `idb.update(connection, table, pk, data)` and the like, as settings of the node for external databases. */
function databaseArgs(action: string, [, table, ...rest]: readonly unknown[]): Record<string, unknown> {
  const names: Readonly<Record<string, readonly string[]>> = {
    get: ['pk'],
    create: ['data'],
    update: ['pk', 'data'],
    delete: ['pk'],
  };
  const options = rest[0];
  const given =
    action === 'list'
      ? typeof options === 'object' && options !== null && { ...options }
      : Object.fromEntries((names[action] ?? []).map((name, index) => [name, rest[index]]));
  return { ...(table === undefined ? {} : { table }), ...given };
}
