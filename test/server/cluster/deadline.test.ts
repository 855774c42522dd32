import { describe, expect, it } from 'vitest';
import { Deadline, type Moment, TurnWatch } from '../../../server/cluster/deadline.ts';

/** Two clocks that are set by hand. */
function clocks() {
  const time = { monotonic: 1_000, timeOfDay: 50_000 };
  return { time, read: (): Moment => ({ ...time }) };
}

describe('a deadline', () => {
  it('is over when either clock has reached it', () => {
    const { time, read } = clocks();
    const deadline = new Deadline(read);
    expect(deadline.isAhead()).toBe(false);
    deadline.set(read(), 100);
    expect(deadline.remainingMs()).toBe(100);
    time.monotonic += 99;
    expect(deadline.isAhead()).toBe(true);
    time.monotonic += 1;
    expect(deadline.isAhead()).toBe(false);
    deadline.set(read(), 100);
    // A virtual machine that was paused: only the time of day goes on.
    time.timeOfDay += 100;
    expect(deadline.isAhead()).toBe(false);
  });

  it('does not last longer when the time of day is set back', () => {
    const { time, read } = clocks();
    const deadline = new Deadline(read);
    deadline.set(read(), 100);
    time.timeOfDay -= 10_000;
    time.monotonic += 100;
    expect(deadline.isAhead()).toBe(false);
  });

  it('is over once it is cleared', () => {
    const { read } = clocks();
    const deadline = new Deadline(read);
    deadline.set(read(), 100);
    deadline.clear();
    expect([deadline.isAhead(), deadline.isSet]).toEqual([false, false]);
  });
});

describe('a watch of turns', () => {
  it.each(['monotonic', 'timeOfDay'] as const)('tells a late turn on the clock %s', (clock) => {
    const { time, read } = clocks();
    const late: number[] = [];
    const watch = new TurnWatch((ms) => late.push(ms), read);
    time.monotonic += 300;
    time.timeOfDay += 300;
    watch.look();
    expect(late).toEqual([]);
    time[clock] += 1_300;
    watch.look();
    expect(late).toEqual([1_050]);
  });
});
