import { describe, expect, it } from 'vitest';
import type { ReadSet } from '../../../../runtime/content/dependency-recorder.ts';
import { RequestCoalescer } from '../../../../server/http/responses/request-coalescer.ts';

interface Result {
  readonly reads: ReadSet;
  readonly name: string;
}

/** Work that finishes or fails when the test says so. */
class ControlledWork {
  version = 1;
  readonly finishers: ((name: string, version?: number) => void)[] = [];
  readonly failures: ((error: Error) => void)[] = [];
  readonly shared = new RequestCoalescer<Result>({
    current: () => this.version,
    isUpToDate: ({ seq }) => seq >= this.version,
  });

  take(key: string): Promise<Result> {
    return this.shared.take(
      key,
      () =>
        new Promise((resolve, reject) => {
          const startedAt = this.version;
          this.finishers.push((name, version = startedAt) =>
            resolve({ reads: { seq: version, dependencies: undefined }, name }),
          );
          this.failures.push(reject);
        }),
    );
  }

  finish(index: number, name: string, version?: number): void {
    this.finishers[index]?.(name, version);
  }
}

/** Waits until all callbacks of settled promises have run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('work of equal requests', () => {
  it('starts once for calls with the same key, and once for each key', async () => {
    const work = new ControlledWork();
    const all = [work.take('a'), work.take('a'), work.take('b')];
    expect(work.finishers).toHaveLength(2);
    work.finish(0, 'first');
    work.finish(1, 'second');
    expect((await Promise.all(all)).map(({ name }) => name)).toEqual(['first', 'first', 'second']);
  });

  it('starts again after the last one has finished', async () => {
    const work = new ControlledWork();
    const first = work.take('a');
    work.finish(0, 'first');
    await first;
    const second = work.take('a');
    work.finish(1, 'second');
    expect((await second).name).toBe('second');
  });

  it('is not shared with calls after a change', async () => {
    const work = new ControlledWork();
    work.take('a');
    work.version = 2;
    const late = work.take('a');
    work.finish(1, 'new');
    expect((await late).name).toBe('new');
  });

  it('restarts after a change, and earlier calls get the new result', async () => {
    const work = new ControlledWork();
    const early = work.take('a');
    work.version = 2;
    work.finish(0, 'old');
    await settled();
    expect(work.finishers).toHaveLength(2);
    work.finish(1, 'new');
    expect((await early).name).toBe('new');
  });

  it('restarts once for all its callers', async () => {
    const work = new ControlledWork();
    const all = [work.take('a'), work.take('a'), work.take('a')];
    work.version = 2;
    work.finish(0, 'old');
    await settled();
    expect(work.finishers).toHaveLength(2);
    work.finish(1, 'new');
    expect((await Promise.all(all)).map(({ name }) => name)).toEqual(['new', 'new', 'new']);
  });

  it('does not restart when its result already has the new version', async () => {
    const work = new ControlledWork();
    const early = work.take('a');
    work.version = 2;
    work.finish(0, 'already new', 2);
    expect((await early).name).toBe('already new');
    expect(work.finishers).toHaveLength(1);
  });

  it('restarts at most three times during continuous changes', async () => {
    const work = new ControlledWork();
    const asked = work.take('a');
    for (let index = 0; index < 4; index += 1) {
      work.version += 1;
      work.finish(index, `attempt ${index}`);
      await settled();
    }
    expect((await asked).name).toBe('attempt 3');
    expect(work.finishers).toHaveLength(4);
  });

  it('rejects all its callers when it fails, and starts again for the next call', async () => {
    const work = new ControlledWork();
    const all = Promise.allSettled([work.take('a'), work.take('a')]);
    work.failures[0]?.(new Error('lost'));
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = work.take('a');
    work.finish(1, 'fine');
    expect((await next).name).toBe('fine');
  });
});
