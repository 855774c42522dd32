import { randomUUID } from 'node:crypto';
import ivm from 'isolated-vm';
import { createFaults } from './inside/faults.ts';
import { installGlobals } from './inside/globals.ts';
import { harden } from './inside/harden.ts';
import type { Host, HostCall } from './inside/host.ts';
import { Inbox } from './inside/inbox.ts';
import { createOutbox } from './inside/outbox.ts';
import { createQueryClass } from './inside/query-class.ts';
import { Runs } from './inside/runs.ts';
import { createTools } from './inside/tools.ts';
import { createUrlClass } from './inside/url-class.ts';
import { Utf8Encoder } from './inside/utf8-encoder.ts';
import type { RunLimits } from './model.ts';
import type { CheckedFault } from './packets.ts';

/**
 * The isolate of a sandbox process, with one frozen context for all runs (inside/harden.ts).
 *
 * Text and numbers alone cross its border. Its only function from outside is `host`, which takes and gives text,
 * and which only the code of `inside/` can reach.
 */
export class Realm {
  readonly #isolate: ivm.Isolate;
  readonly #context: ivm.Context;
  readonly #turn: ivm.Reference;
  readonly #lastAnswer: ivm.Reference;
  readonly #adopt: ivm.Reference;
  readonly #refuse: ivm.Reference;
  readonly #drop: ivm.Reference;
  readonly #turnMs: number;

  /** @param send hands a packet to the server at once */
  constructor(limits: RunLimits, send: (packet: string) => void) {
    this.#isolate = new ivm.Isolate({ memoryLimit: limits.memoryMb + limits.messageMb + ownMemoryMb });
    this.#context = this.#isolate.createContextSync();
    const host: Host = (name, ...args) => {
      if (name !== 'send') return hostCalls[name](...args);
      send(args[0] ?? '');
      return undefined;
    };
    const runs: ivm.Reference = this.#context.evalClosureSync(textOfRealm(limits), [new ivm.Callback(host)], {
      result: { reference: true },
      filename: 'sandbox',
    });
    const member = (name: string): ivm.Reference => runs.getSync(name, { reference: true });
    this.#turn = member('turn');
    this.#lastAnswer = member('lastAnswer');
    this.#adopt = member('adopt');
    this.#refuse = member('refuse');
    this.#drop = member('drop');
    this.#turnMs = limits.turnMs;
  }

  /** False after a run needed too much memory. Nothing works then. */
  get isAlive(): boolean {
    return !this.#isolate.isDisposed;
  }

  /**
   * A promise that is rejected while nobody waits for it is reported as an error of the turn, although the turn
   * was complete.
   *
   * @see Runs.turn
   * @throws Error if the turn took longer than `turnMs`; the process must end then
   */
  turn(packet: string): string {
    const start = performance.now();
    try {
      return String(this.#turn.applySync(undefined, [packet], { timeout: this.#turnMs }));
    } catch (error) {
      if (!this.isAlive || performance.now() - start >= this.#turnMs) throw error;
      return String(this.#lastAnswer.applySync());
    }
  }

  /** Compiles the code of runs. A fault is told by every run of it. */
  compile(code: number, text: string): void {
    const fault = this.check(text);
    if (fault !== undefined) {
      this.#refuse.applySync(undefined, [code, fault.message, fault.line, fault.column]);
      return;
    }
    const start = `(${mayWait.test(text) ? 'async ' : ''}function (${parameters}) { "use strict"; {`;
    const script = this.#isolate.compileScriptSync(`${start}${text}\n}})`, origin(start));
    const compiled: ivm.Reference = script.runSync(this.#context, { reference: true });
    const isBare = !mayUseTools.test(text);
    this.#adopt.applySync(undefined, [code, compiled.derefInto({ release: true }), isBare]);
    script.release();
  }

  drop(code: number): void {
    this.#drop.applySync(undefined, [code]);
  }

  /**
   * The fault that keeps a code from being compiled. Compiles the code in three wrappers: a function in parentheses,
   * a method of a class, and a method of an object. Code that closes its function early cannot be valid in all three,
   * because different signs may follow each closing brace.
   */
  check(text: string): CheckedFault | undefined {
    for (const [start, end] of places) {
      try {
        this.#isolate.compileScriptSync(`${start}${text}\n${end}`, origin(start)).release();
      } catch (error) {
        return faultOf(error, text);
      }
    }
    return undefined;
  }
}

/**
 * The body of a function of the host, which gives the functions of `Runs`. What makes the realm immutable comes last.
 * No global name leads to `URLSearchParams`.
 */
function textOfRealm(limits: RunLimits): string {
  return `const limits = ${JSON.stringify(limits)};
const faults = (${createFaults})();
const outbox = (${createOutbox})($0);
const tools = (${createTools})(limits, faults, outbox);
const runs = new (${Runs})(limits, faults, tools, new (${Inbox})(), outbox);
const URLSearchParams = (${createQueryClass})($0);
const URL = (${createUrlClass})($0, URLSearchParams);
(${installGlobals})($0, { URL, TextEncoder: ${Utf8Encoder} });
(${harden})([URLSearchParams]);
return {
  turn: (packet) => runs.turn(packet),
  lastAnswer: () => runs.lastAnswer(),
  adopt: (code, execute, isBare) => runs.adopt(code, execute, isBare),
  refuse: (code, message, line, column) => runs.refuse(code, message, line, column),
  drop: (code) => runs.drop(code),
};`;
}

/** What the frozen context itself needs, in MB. */
const ownMemoryMb = 8;

/** Names that code can use as parameters, in the order of `CompiledCode`. */
const parameters = 'store, idb, node, console, params, msg';

/** Code that has the word is made an asynchronous function; others run faster as they are. */
const mayWait = /\bawait\b/;

/** Code without these words, and without an escape that may spell one, runs without the objects of a run. */
const mayUseTools = /store|idb|node|console|arguments|\\/;

const places = [
  ['(async function () { "use strict"; ', '})'],
  ['(class { async code() { "use strict"; ', '}})'],
  ['({ async code() { "use strict"; ', '}})'],
] as const;

/** Lines and columns are those of the author's code. */
function origin(start: string): { filename: string; columnOffset: number } {
  return { filename: '<code>', columnOffset: -start.length };
}

function faultOf(error: unknown, text: string): CheckedFault {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const [, what = message, line = '1', column = '1'] = /^(.*) \[<code>:(\d+):(\d+)\]$/s.exec(message) ?? [];
  const lines = text.split('\n');
  if (Number(line) > lines.length)
    return {
      message: 'SyntaxError: the code ends too early',
      line: lines.length,
      column: (lines.at(-1) ?? '').length + 1,
    };
  return { message: `SyntaxError: ${what}`, line: Number(line), column: Math.max(1, Number(column)) };
}

/** What the process does for its isolate: what the language alone has not. Text in, text out. */
const hostCalls: Readonly<Record<Exclude<HostCall, 'send'>, (...args: string[]) => string | undefined>> = {
  randomUUID: () => randomUUID(),
  'base64.encode': (text = '') => Buffer.from(text, 'utf8').toString('base64'),
  'base64.decode': (text = '') =>
    base64Text.test(text) ? Buffer.from(text, 'base64').toString('utf8') : undefined,
  'url.parse': (address = '', base = '') => {
    const url = URL.parse(address, base === '' ? undefined : base);
    return url === null ? undefined : partsOf(url);
  },
  'url.change': (address = '', part = '', value = '') => {
    const url = URL.parse(address);
    if (url === null || (part === 'href' && !URL.canParse(value))) return undefined;
    Reflect.set(url, part, value);
    return partsOf(url);
  },
  'query.parse': (query = '') => JSON.stringify([...new URLSearchParams(query)]),
  'query.text': (pairs = '[]') => new URLSearchParams(JSON.parse(pairs)).toString(),
};

/** Both alphabets, with or without padding and white space. */
const base64Text = /^[\w+/\s-]*={0,2}\s*$/;

const urlParts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

function partsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(urlParts.map((part) => [part, url[part]])));
}
