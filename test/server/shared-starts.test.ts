import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTimer } from '../../server/base/timers.ts';
import { type ScheduledStart, Schedules } from '../../server/features/workflows/schedules.ts';
import { SharedStarts } from '../../server/features/workflows/shared-starts.ts';
import { recordingLog } from '../support/quiet-log.ts';

/** Schedules of nodes that share their claims, each with a clock of its own. */

const minuteMs = 60_000;
/** A quarter of a minute before a full one. */
const startMs = Date.UTC(2026, 0, 1, 11, 59, 45);
const noon = startMs + 15_000;

const everyMinute: ScheduledStart = { workflowId: 1, node: 0, nodeId: 'a', pattern: '* * * * *' };

interface Run {
  readonly node: string;
  readonly start: ScheduledStart;
}

let claims: Map<string, string>;
let runs: Run[];
let nodes: TestNode[];

class TestNode {
  readonly name: string;
  isLeader = false;
  /** Whether PostgreSQL does not answer. `late`: it does what is asked, but its answer is lost. */
  fault: 'none' | 'lost' | 'late' = 'none';
  /** Claims wait for it, as in a process that is stopped. */
  pause: Promise<void> | undefined;
  readonly #schedules: Schedules;
  readonly #shared: SharedStarts;

  constructor(name: string, aheadMs = 0) {
    this.name = name;
    const clock = () => Date.now() + aheadMs;
    this.#shared = new SharedStarts({
      ...{ clock, later: startTimer, log: recordingLog() },
      isLeader: () => this.isLeader,
      claim: (claimed) => this.#claim(claimed),
      run: (start) => runs.push({ node: name, start }),
    });
    this.#schedules = new Schedules({
      ...{ clock, later: startTimer },
      run: (start, plannedAt) => this.#shared.add(start, plannedAt),
    });
    nodes.push(this);
  }

  set(...starts: readonly ScheduledStart[]): void {
    this.#schedules.set(starts);
    this.#shared.keepOnly(starts);
  }

  async close(): Promise<void> {
    this.#schedules.close();
    await this.#shared.close();
  }

  async #claim(name: string): Promise<boolean> {
    await this.pause;
    if (this.fault === 'lost') throw new Error('no answer');
    const owner = claims.get(name) ?? this.name;
    claims.set(name, owner);
    if (this.fault === 'late') throw new Error('no answer');
    return owner === this.name;
  }
}

/** Two nodes with the same schedules; the first leads. */
function startTwo({ aheadMs = 0 } = {}): [TestNode, TestNode] {
  const [one, two] = [new TestNode('one', aheadMs), new TestNode('two')];
  one.isLeader = true;
  for (const node of [one, two]) node.set(everyMinute);
  return [one, two];
}

const passTo = (ms: number) => vi.advanceTimersByTimeAsync(ms - Date.now());
const runners = () => runs.map(({ node }) => node);

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
  claims = new Map();
  runs = [];
  nodes = [];
});
afterEach(async () => {
  for (const node of nodes) await node.close();
  vi.useRealTimers();
});

describe('a planned start', () => {
  it('runs on the leader, at its time', async () => {
    startTwo();
    await passTo(noon - 1);
    expect(runs).toEqual([]);
    await passTo(noon + 10);
    expect(runs).toEqual([{ node: 'one', start: everyMinute }]);
    await passTo(noon + 10 * minuteMs + 10);
    expect(runners()).toEqual(Array.from({ length: 11 }, () => 'one'));
  });

  it('that a leader has missed who is gone runs late on the next one', async () => {
    const [one, two] = startTwo();
    await passTo(noon - 1);
    one.isLeader = false;
    await passTo(noon + 5_000);
    expect(runs).toEqual([]);
    two.isLeader = true;
    await passTo(noon + 7_000);
    expect(runners()).toEqual(['two']);
    await passTo(noon + minuteMs + 10);
    expect(runners()).toEqual(['two', 'two']);
  });

  it('that a leader has run does not run again on the next one', async () => {
    const [one, two] = startTwo();
    await passTo(noon + 10);
    one.isLeader = false;
    two.isLeader = true;
    await passTo(noon + minuteMs - 10);
    expect(runners()).toEqual(['one']);
  });

  it('is left out when no node has led for too long; of several only the last one runs', async () => {
    const [one, two] = startTwo();
    one.isLeader = false;
    await passTo(noon + 3 * minuteMs + 20_000);
    two.isLeader = true;
    await passTo(noon + 3 * minuteMs + 30_000);
    expect(runners()).toEqual(['two']);
    expect([...claims.keys()]).toEqual([expect.stringContaining(` ${noon + 3 * minuteMs}`)]);
  });

  it('that is rarer is left out after 90 seconds', async () => {
    const [one, two] = [new TestNode('one'), new TestNode('two')];
    for (const node of [one, two]) node.set({ ...everyMinute, pattern: '0 12 * * *' });
    await passTo(noon + 91_000);
    two.isLeader = true;
    await passTo(noon + 5 * minuteMs);
    expect([runs, claims.size]).toEqual([[], 0]);
  });

  it.each([-5_000, 5_000])('runs once where the clock of the leader is %d ms ahead', async (aheadMs) => {
    const [one, two] = startTwo({ aheadMs });
    // The leader changes in the middle of the difference, in both directions.
    for (let minute = 0; minute < 6; minute++) {
      const [from, to] = minute % 2 === 0 ? [one, two] : [two, one];
      await passTo(noon + minute * minuteMs - Math.max(aheadMs, 0) + 2_000);
      from.isLeader = false;
      await passTo(noon + minute * minuteMs - Math.max(aheadMs, 0) + 3_000);
      to.isLeader = true;
    }
    await passTo(noon + 5 * minuteMs + 20_000);
    expect(runs).toHaveLength(6);
    expect(claims.size).toBe(6);
  });

  it('of a leader that was stopped and goes on does not run twice', async () => {
    const [one, two] = startTwo();
    const stopped = Promise.withResolvers<void>();
    one.pause = stopped.promise;
    await passTo(noon + 1_000);
    two.isLeader = true;
    await passTo(noon + 3_000);
    expect(runners()).toEqual(['two']);
    stopped.resolve();
    await passTo(noon + 10_000);
    expect(runners()).toEqual(['two']);
  });

  it('runs once when the answer to its claim is lost', async () => {
    const [one] = startTwo();
    one.fault = 'late';
    await passTo(noon + 2_500);
    expect(runs).toEqual([]);
    one.fault = 'none';
    await passTo(noon + 30_000);
    expect(runners()).toEqual(['one']);
  });

  it('runs as soon as the database answers', async () => {
    const [one] = startTwo();
    one.fault = 'lost';
    await passTo(noon + 20_000);
    one.fault = 'none';
    await passTo(noon + 22_000);
    expect(runners()).toEqual(['one']);
  });

  it('that waits is dropped with its schedule, and follows a node that moves in the flow', async () => {
    const [one, two] = startTwo();
    one.isLeader = false;
    const other: ScheduledStart = { ...everyMinute, nodeId: 'b', node: 1 };
    two.set(everyMinute, other);
    await passTo(noon + 1_000);
    two.set({ ...other, node: 0 });
    two.isLeader = true;
    await passTo(noon + 10_000);
    expect(runs).toEqual([{ node: 'two', start: { ...other, node: 0 } }]);
  });
});
