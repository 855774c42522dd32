import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Batch, Batches } from '../../../server/features/export/batches.ts';

function pathsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/${String(index).padStart(5, '0')}`);
}

describe('batches of an export', () => {
  it('hold every page once, whichever lanes ask for them, also those that are put back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(3)),
        (count, workers, asking) => {
          const paths = pathsUpTo(count);
          const batches = new Batches(paths, workers);
          const given: string[] = [];
          let putBack = 0;
          for (const lane of asking) {
            const batch = batches.next(lane % workers);
            if (batch === undefined) break;
            const { length } = batch.paths;
            expect(length).toBeLessThanOrEqual(256);
            const cut = putBack < 5 && length > 1 ? 1 : length;
            given.push(...batch.paths.slice(0, cut));
            if (cut === length) continue;
            putBack += 1;
            batches.putBack(lane % workers, { ...batch, paths: batch.paths.slice(cut) });
          }
          expect(given.sort()).toEqual(paths);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('give each lane neighbours, the same ones each time', () => {
    const [paths, again] = [new Batches(pathsUpTo(2000), 2), new Batches(pathsUpTo(2000), 2)];
    const firsts = [paths, again].map((batches) =>
      Array.from({ length: 6 }, () => batches.lanes.map((lane) => batches.next(lane)?.paths ?? [])),
    );
    expect(firsts[0]).toEqual(firsts[1]);
    const ofLanes = [0, 1].map((lane) => firsts[0]?.flatMap((batches) => batches[lane] ?? []) ?? []);
    expect(ofLanes).toEqual(
      ofLanes.map(({ length }, lane) => pathsUpTo(2000).slice(lane * 1000, lane * 1000 + length)),
    );
  });

  it('become smaller, so that no process waits long for the last one', () => {
    const sizes = ownOf(new Batches(pathsUpTo(2000), 2), 0).map(({ paths }) => paths.length);
    expect(sizes).toEqual(sizes.toSorted((left, right) => right - left));
    expect(sizes[0]).toBe(200);
    expect(sizes.length).toBeLessThan(25);
    expect(sizes.at(-1)).toBeLessThanOrEqual(8);
  });

  it('say which pages a lane has only because it helps another one', () => {
    const batches = new Batches(pathsUpTo(2000), 2);
    const own = ownOf(batches, 0);
    expect(own.flatMap(({ paths }) => paths)).toEqual(pathsUpTo(1000));
    const helped = batches.next(0);
    expect(helped?.paths.at(-1)).toBe('/01999');
    expect(helped?.willReturn).toBe(false);
    const [, ...left] = helped?.paths ?? [];
    batches.putBack(0, { paths: left, willReturn: false });
    expect(batches.next(0)).toEqual({ paths: left, willReturn: false });
    expect(batches.next(1)?.willReturn).toBe(true);
  });
});

/** The batches of a lane itself, of 2,000 pages in two lanes. */
function ownOf(batches: Batches, lane: number): Batch[] {
  const own: Batch[] = [];
  for (let count = 0; count < 1000; ) {
    const batch = batches.next(lane);
    if (batch === undefined) break;
    own.push(batch);
    count += batch.paths.length;
  }
  return own;
}
