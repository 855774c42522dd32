import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { PoolBusyError } from '../../../server/processes/pool.ts';
import { runLimits } from '../../../server/processes/sandbox/model.ts';
import { atOnce, packetBytes, toProcess } from '../../../server/processes/sandbox/packets.ts';
import { entryFiles } from '../../support/entry-files.ts';
import { openSandbox } from './support.ts';

const { run, value, sandbox } = openSandbox({ limits: { cpuMs: 500 } });

/** The sandbox processes of this test, by number. */
function children(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return (
          Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('memoryMb')
        );
      } catch {
        return false;
      }
    });
}

/** A call that is answered when the test says so. */
function heldCall(): { call: () => Promise<string>; called: Promise<void>; answer: () => void } {
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  return {
    call() {
      called.resolve();
      return answer.promise;
    },
    called: called.promise,
    answer: () => answer.resolve('"answered"'),
  };
}

describe.skipIf(!existsSync('/proc/self/environ'))('a sandbox process', () => {
  it('has no environment, and no files but its channel', async () => {
    await run('return msg');
    for (const pid of children()) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
      const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
      expect(open.filter((target) => target.startsWith('socket:'))).toHaveLength(2);
      expect(open.filter((target) => target.startsWith('/') && target !== '/dev/null')).toEqual([]);
      expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
    }
  });

  it('is replaced when it is killed; its runs begin again, but call and log nothing twice', async () => {
    const held = heldCall();
    const calls: string[] = [];
    const waiting = run(
      'console.log("a"); const n = await store.get("n"); console.log("b"); return {n, a: await store.get("a"), c: await store.get("c")}',
      {
        call(name, args) {
          calls.push(`${name}${args}`);
          return args === '["a"]' ? held.call() : Promise.resolve('1');
        },
      },
    );
    await held.called;
    for (const pid of children()) process.kill(pid, 'SIGKILL');
    const others = await Promise.all(Array.from({ length: 20 }, () => value('return msg')));
    expect(others).toEqual(Array.from({ length: 20 }, () => ({ payload: 1 })));
    held.answer();
    expect(await waiting).toEqual({
      outputs: [['{"n":1,"a":"answered","c":1}']],
      logs: ['log: a', 'log: b'],
    });
    expect(calls).toEqual(['store.get["n"]', 'store.get["a"]', 'store.get["c"]']);
  });

  it('is replaced when it is killed; a run that then calls something else fails', async () => {
    const held = heldCall();
    const waiting = run('await store.get(crypto.randomUUID())', { call: held.call });
    await held.called;
    for (const pid of children()) process.kill(pid, 'SIGKILL');
    expect((await waiting).error?.message).toBe(
      'the run was repeated because its process was ended, and it called something else this time',
    );
  });

  it('looks at code again after it was replaced', async () => {
    for (let n = 0; n < 2; n += 1) {
      expect(await sandbox.check('if (')).toMatchObject({ line: 1 });
      expect(await value('return msg')).toEqual({ payload: 1 });
      for (const pid of children()) process.kill(pid, 'SIGKILL');
    }
  });

  it('is started before the first run, and stays while runs are expected', async () => {
    const started = (before: readonly number[]) => children().filter((pid) => !before.includes(pid));
    // The process that a test before has killed is replaced then.
    await vi.waitFor(() => value('return msg'), 20_000);
    const before = children();
    const other = openSandbox({ idleMs: 1 });
    other.sandbox.expectRuns(true);
    await expect.poll(() => started(before)).toHaveLength(1);
    const [ready] = started(before);
    await other.value('return msg', { msg: { long: 'x'.repeat(600_000) } });
    // The process that the long message had for itself has nothing to do now, no more than the other one.
    await expect.poll(() => started(before)).toEqual([ready]);
    await other.value('return msg');
    other.sandbox.expectRuns(false);
    await expect.poll(() => started(before)).toEqual([]);
  });

  it('is gone when the sandbox is closed', async () => {
    const other = openSandbox();
    await other.run('return msg');
    const held = heldCall();
    const running = other.run('await store.get("a")', { call: held.call });
    await held.called;
    const before = children().length;
    await other.sandbox.close();
    expect((await running).error?.message).toMatch(/the sandbox was closed/);
    expect(children()).toHaveLength(before - 1);
    await expect(other.run('return msg')).rejects.toThrow('the sandbox is closed');
  });
});

describe('a sandbox process whose server was killed', () => {
  it('ends by itself, even while code runs in a loop', async () => {
    const limits = { ...runLimits, turnMs: 300 };
    const child = spawn(
      process.execPath,
      ['--no-node-snapshot', entryFiles.sandbox, JSON.stringify(limits)],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      },
    );
    const ended = once(child, 'exit');
    try {
      const channel = child.stdio[3];
      if (!(channel instanceof Duplex)) throw new Error('the process has no channel');
      await once(channel, 'data');
      const code = 'console.log("begun"); while (true);';
      channel.write(packetBytes(`C${JSON.stringify({ codes: [[1, code]] })}`));
      channel.write(packetBytes(`R${JSON.stringify([[toProcess.start, 1, 1, 1, atOnce.log, 2, -1]])}\n{}`));
      await once(channel, 'data');
      channel.destroy();
      const [status] = await ended;
      expect(status).toBeGreaterThan(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('runs', () => {
  it('that wait for an answer keep no other from running', async () => {
    const held = heldCall();
    const waiting = run('return {payload: await store.get("a")}', { call: held.call });
    await held.called;
    expect(await value('return msg')).toEqual({ payload: 1 });
    held.answer();
    expect((await waiting).outputs).toEqual([['{"payload":"answered"}']]);
  });

  it('end with the reason of their signal', async () => {
    const stop = new AbortController();
    const held = heldCall();
    const waiting = run('await store.get("a")', { call: held.call, signal: stop.signal });
    await held.called;
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(run('return msg', { signal: stop.signal })).rejects.toThrow('stopped');
  });

  it('that are cancelled in a loop end at once', async () => {
    const stop = new AbortController();
    const patient = openSandbox();
    const waiting = patient.run('while (true);', { signal: stop.signal });
    await patient.run('return msg', { msg: { long: 'x'.repeat(600_000) } });
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(await patient.value('return msg')).toEqual({ payload: 1 });
  });

  it('that were slow are alone from then on, so that they hold up nobody', async () => {
    const slow = 'while (true);';
    expect((await run(slow)).error?.message).toContain('did not come to its end');
    const again = run(slow);
    expect(await Promise.all(Array.from({ length: 50 }, () => value('return msg')))).toHaveLength(50);
    expect((await again).error?.message).toContain('did not come to its end');
  });

  it('with a long message work', async () => {
    const patient = openSandbox();
    const text = 'ä'.repeat(2 ** 20);
    expect(
      await patient.value('return { length: msg.text.length, text: msg.text }', { msg: { text } }),
    ).toEqual({
      length: text.length,
      text,
    });
  });

  it('are refused when too long messages wait', async () => {
    const small = openSandbox({ queueLength: 1_000 });
    const msg = { long: 'x'.repeat(500) };
    const results = await Promise.allSettled(Array.from({ length: 3 }, () => small.run('return', { msg })));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('are refused when too many wait', async () => {
    const small = openSandbox({ queueLimit: 2 });
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => small.run('return msg')));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(results[3]).toMatchObject({ reason: expect.any(PoolBusyError) });
  });
});
