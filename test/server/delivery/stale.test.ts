import { expect, it } from 'vitest';
import { checkRandomChanges } from './random-changes.ts';

/** `npm run bench -- stale` runs many more rounds. */
it.each([2, 3, 4])('shows the newest content after every random change (seed %d)', async (seed) => {
  const { stale, reused, rendered } = await checkRandomChanges({ seed, rounds: 70 });
  expect(stale).toEqual([]);
  // Otherwise the test would prove nothing.
  expect([reused > 20, rendered > 20]).toEqual([true, true]);
});
