import { afterAll } from 'vitest';
import type { CodeResult, CodeTask } from '../../../server/processes/sandbox/model.ts';
import { Sandbox, type SandboxOptions } from '../../../server/processes/sandbox/sandbox.ts';
import { entryFiles } from '../../support/entry-files.ts';
import { recordingLog } from '../../support/quiet-log.ts';

export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly logged: readonly string[];
  /** Runs a code and returns its result with the log entries, as `level: text`. */
  run(
    code: string,
    more?: Partial<CodeTask> & { readonly msg?: unknown },
  ): Promise<CodeResult & { readonly logs: readonly string[] }>;
  /** The first message at the first output. @throws if there is none */
  value(code: string, more?: Partial<CodeTask> & { readonly msg?: unknown }): Promise<unknown>;
}

/** A sandbox that is closed after the tests of the file. */
export function openSandbox(options: Partial<SandboxOptions> = {}): TestSandbox {
  const log = recordingLog();
  const sandbox = new Sandbox({ filename: entryFiles.sandbox, log, ...options });
  afterAll(() => sandbox.close());
  const test: TestSandbox = {
    sandbox,
    logged: log.messages,
    async run(code, { msg = { payload: 1 }, ...more } = {}) {
      const logs: string[] = [];
      const result = await sandbox.run({
        code,
        message: JSON.stringify(msg),
        outputs: 1,
        call: async (name) => {
          throw new Error(`${name} is not answered`);
        },
        log: (level, text) => logs.push(`${level}: ${text}`),
        signal: new AbortController().signal,
        ...more,
      });
      return { ...result, logs };
    },
    async value(code, more) {
      const { outputs, error } = await test.run(code, more);
      const [text] = outputs[0] ?? [];
      if (text === undefined) throw new Error(error?.message ?? 'no message was sent');
      return JSON.parse(text);
    },
  };
  return test;
}
