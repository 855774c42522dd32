/** A Python process that renders cases with Django. */
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Case, entryName, type Outcome, sourcesOf } from './case.ts';

const Answer = Type.Union([Type.Object({ output: Type.String() }), Type.Object({ error: Type.String() })]);

/** What Django does, and `render.py` can leave out to show that nothing else differs. */
export type Peculiarity =
  | 'failures in conditions are false'
  | 'empty ifchanged renders twice'
  | 'equal texts are several objects'
  | 'numbers are no names in maps'
  | 'block.super hides missing arguments'
  | 'truncation loses the end';

export interface FoundPython {
  readonly path: string;
  /** Version of Django, as `5.2.17`. */
  readonly django: string;
}

/** The first Python among the candidates that has Django; undefined if none has. */
export function findPython(candidates: readonly string[]): FoundPython | undefined {
  for (const path of candidates) {
    try {
      const code = 'import django; print(django.get_version())';
      const django = execFileSync(path, ['-c', code], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return { path, django: django.trim() };
    } catch {
      // No such program, or a Python without Django.
    }
  }
  return undefined;
}

/** Cases written to the process before their answers are read. The pipe holds more than these. */
const windowSize = 20;

/** Renders cases in one Python process, in order. */
export class Django {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(python: string) {
    const script = fileURLToPath(import.meta.resolve('./render.py'));
    this.#child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * What Django makes of each case.
   * @param without a peculiarity of Django that is left out
   */
  async outcomesOf(cases: readonly Case[], without?: Peculiarity): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (let start = 0; start < cases.length; start += windowSize) {
      const window = cases.slice(start, start + windowSize);
      for (const one of window) {
        const request = {
          templates: sourcesOf(one),
          entry: entryName,
          context: one.context,
          without: without ?? null,
        };
        this.#child.stdin.write(`${JSON.stringify(request)}\n`);
      }
      for (const _ of window) outcomes.push(await this.#answer());
    }
    return outcomes;
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'close');
  }

  async #answer(): Promise<Outcome> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the Python process ended early; its errors are above');
    return Value.Decode(Answer, JSON.parse(value));
  }
}
