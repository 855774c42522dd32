import { describe, expect, it } from 'vitest';
import { Mutex } from '../../server/base/mutex.ts';
import { forEachInSlices, sliceMs, TimeSlices } from '../../server/base/timers.ts';

describe('TimeSlices', () => {
  it('makes no promise while time is left', () => {
    expect(new TimeSlices().next()).toBeUndefined();
  });

  it('lets others run once the slice is over, and begins another one', async () => {
    const slices = new TimeSlices();
    let hasRun = false;
    setImmediate(() => {
      hasRun = true;
    });
    spend(sliceMs + 1);
    await slices.next();
    expect(hasRun).toBe(true);
    expect(slices.isOver).toBe(false);
  });
});

describe('forEachInSlices', () => {
  it('takes all entries in order, with turns of the event loop in between', async () => {
    const seen: string[] = [];
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    await forEachInSlices(['a', 'b', 'c', 'd'], async (entry, index) => {
      seen.push(`${index}${entry}`);
      spend(sliceMs);
    });
    clearInterval(count);
    expect(seen).toEqual(['0a', '1b', '2c', '3d']);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('Mutex', () => {
  it('runs one work after the other, also after one that fails', async () => {
    const mutex = new Mutex();
    const seen: string[] = [];
    const run = (name: string, error?: Error) =>
      mutex.run(async () => {
        seen.push(`begin ${name}`);
        await Promise.resolve();
        seen.push(`end ${name}`);
        if (error !== undefined) throw error;
      });
    const results = await Promise.allSettled([run('a', new Error('a failed')), run('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(seen).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  });
});

function spend(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
