import { expect, it } from 'vitest';
import { checkFailingList } from './check-list.ts';

/** `npm run bench -- failing` runs many more rounds. */
it.each([3, 4])(
  'lists exactly the pages that fail, with the change that broke each (seed %d)',
  async (seed) => {
    const { wrong, broken, mended } = await checkFailingList({ seed, rounds: 16 });
    expect(wrong).toEqual([]);
    // Otherwise the test would prove nothing.
    expect([broken > 5, mended > 2]).toEqual([true, true]);
  },
  240_000,
);
