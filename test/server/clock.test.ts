import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { roughClock } from '../../server/base/clock.ts';

describe('a rough clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is never behind, and at most 50 ms ahead', () => {
    const clock = roughClock();
    for (let step = 0; step < 300; step++) {
      const ahead = clock() - Date.now();
      expect(ahead).toBeGreaterThanOrEqual(0);
      expect(ahead).toBeLessThanOrEqual(50);
      vi.advanceTimersByTime(step % 7);
    }
  });

  it('asks the system once in 50 ms', () => {
    const asked = vi.spyOn(Date, 'now');
    const clock = roughClock();
    for (let count = 0; count < 100; count++) clock();
    vi.advanceTimersByTime(50);
    clock();
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('follows a system clock that was set back', () => {
    const clock = roughClock();
    clock();
    vi.setSystemTime(500_000);
    vi.advanceTimersByTime(50);
    expect(clock() - Date.now()).toBe(50);
  });
});
