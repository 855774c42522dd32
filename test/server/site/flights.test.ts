import { describe, expect, it } from 'vitest';
import { Flights } from '../../../server/site/flights.ts';

interface Result {
  readonly version: number;
  readonly name: string;
}

/** Work whose landings the test decides. */
class Runway {
  version = 1;
  readonly landings: ((name: string, version?: number) => void)[] = [];
  readonly crashes: ((error: Error) => void)[] = [];
  readonly flights = new Flights<Result>(() => this.version);

  take(key: string): Promise<Result> {
    return this.flights.take(
      key,
      () =>
        new Promise((resolve, reject) => {
          const startedAt = this.version;
          this.landings.push((name, version = startedAt) => resolve({ version, name }));
          this.crashes.push(reject);
        }),
    );
  }

  land(index: number, name: string, version?: number): void {
    this.landings[index]?.(name, version);
  }
}

/** Lets everything that is settled take effect. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('flights', () => {
  it('share one start between equal keys, and only those', async () => {
    const runway = new Runway();
    const all = [runway.take('a'), runway.take('a'), runway.take('b')];
    expect(runway.landings).toHaveLength(2);
    runway.land(0, 'first');
    runway.land(1, 'second');
    expect((await Promise.all(all)).map(({ name }) => name)).toEqual(['first', 'first', 'second']);
  });

  it('start anew once the last one has landed', async () => {
    const runway = new Runway();
    const first = runway.take('a');
    runway.land(0, 'first');
    await first;
    const second = runway.take('a');
    runway.land(1, 'second');
    expect((await second).name).toBe('second');
  });

  it('are not joined by who asks after a change', async () => {
    const runway = new Runway();
    runway.take('a');
    runway.version = 2;
    const late = runway.take('a');
    runway.land(1, 'new');
    expect((await late).name).toBe('new');
  });

  it('hand over what was asked before a change but made after it', async () => {
    const runway = new Runway();
    const early = runway.take('a');
    runway.version = 2;
    runway.land(0, 'old');
    await settled();
    expect(runway.landings).toHaveLength(2);
    runway.land(1, 'new');
    expect((await early).name).toBe('new');
  });

  it('rebook all passengers onto one common flight', async () => {
    const runway = new Runway();
    const all = [runway.take('a'), runway.take('a'), runway.take('a')];
    runway.version = 2;
    runway.land(0, 'old');
    await settled();
    expect(runway.landings).toHaveLength(2);
    runway.land(1, 'new');
    expect((await Promise.all(all)).map(({ name }) => name)).toEqual(['new', 'new', 'new']);
  });

  it('do not restart for a result that is newer than its start', async () => {
    const runway = new Runway();
    const early = runway.take('a');
    runway.version = 2;
    runway.land(0, 'already new', 2);
    expect((await early).name).toBe('already new');
    expect(runway.landings).toHaveLength(1);
  });

  it('give up after three restarts while changes pour in', async () => {
    const runway = new Runway();
    const asked = runway.take('a');
    for (let index = 0; index < 4; index += 1) {
      runway.version += 1;
      runway.land(index, `attempt ${index}`);
      await settled();
    }
    expect((await asked).name).toBe('attempt 3');
    expect(runway.landings).toHaveLength(4);
  });

  it('pass a failure to everybody and forget it', async () => {
    const runway = new Runway();
    const all = Promise.allSettled([runway.take('a'), runway.take('a')]);
    runway.crashes[0]?.(new Error('lost'));
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = runway.take('a');
    runway.land(1, 'fine');
    expect((await next).name).toBe('fine');
  });
});
