import { describe, expect, it } from 'vitest';
import { deadlyCodes, harmlessCodes } from './hostile-codes.ts';
import { openSandbox } from './support.ts';

const { run, value } = openSandbox({ limits: { calls: 500 } });
/** Ends runs early. */
const strict = openSandbox({ limits: { cpuMs: 100 } });
const call = async (): Promise<string> => '1';

describe('a hostile code', () => {
  it.each(harmlessCodes)('$what', async ({ code, error }) => {
    const result = await run(code, { call });
    if (error === undefined) expect(result.error).toBeUndefined();
    else expect(result.error?.message).toMatch(error);
    expect(result.logs.length).toBeLessThanOrEqual(1_001);
    expect(await value('return msg')).toEqual({ payload: 1 });
  });

  it('is not at home in a table of fewer than 60 codes', () => {
    expect(deadlyCodes.length + harmlessCodes.length).toBeGreaterThan(60);
  });
});

describe('codes that cannot be stopped inside their process', () => {
  const results = new Map<string, ReturnType<typeof run>>();

  it('keep no other run from its end', async () => {
    const others: Promise<unknown>[] = [];
    for (const [index, { what, code }] of deadlyCodes.entries()) {
      // Some come to their process with others, the rest with a message for which they get a process alone.
      const msg = index % 12 === 0 ? {} : { long: 'x'.repeat(600_000) };
      results.set(what, strict.run(code, { call, msg }));
      others.push(strict.value('return msg', { msg: { what } }));
    }
    expect(await Promise.all(others)).toEqual(deadlyCodes.map(({ what }) => ({ what })));
  });

  it.each(deadlyCodes)('$what', async ({ what, error }) => {
    const result = await results.get(what);
    expect(result?.error?.message).toMatch(error ?? /^$/);
    expect(result?.outputs).toEqual([[]]);
    expect(result?.logs.length).toBeLessThanOrEqual(1_001);
  });

  it('leave a sandbox that works', async () => {
    expect(await strict.value('return msg')).toEqual({ payload: 1 });
    expect(strict.logged).not.toContain('a sandbox process could not start');
  });
});

it('a log that is cut says so', async () => {
  const { logs } = await run('for (let i = 0; i < 2000; i++) console.log(i)');
  expect(logs).toHaveLength(1_001);
  expect(logs.at(-1)).toBe('warn: further log entries of this run are left out');
});

it('what a run logs before it is ended can be read', async () => {
  const { logs, error } = await strict.run('console.log("before"); while (true);');
  expect(error?.message).toContain('did not come to its end');
  expect(logs).toEqual(['log: before']);
});
