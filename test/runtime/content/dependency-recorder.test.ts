import { beforeEach, describe, expect, it } from 'vitest';
import { dependencies } from '../../../runtime/content/dependencies.ts';
import { DependencyRecorder } from '../../../runtime/content/dependency-recorder.ts';

describe('the record of reads', () => {
  let reads: DependencyRecorder;
  beforeEach(() => {
    reads = new DependencyRecorder();
    reads.start();
  });

  const notePages = (count: number) => {
    for (let id = 1; id <= count; id++) reads.note(dependencies.page(id));
  };

  it('has everything that was noted, alone or in groups, and what every work depends on', () => {
    for (const id of [3, 1, 3, 2, 1]) reads.note(dependencies.page(id));
    reads.noteAll(Float64Array.of(dependencies.page(8), dependencies.page(9)));
    const { seq, dependencies: noted } = reads.taken(7);
    expect(seq).toBe(7);
    expect(new Set(noted)).toEqual(
      new Set([dependencies.everything, ...[1, 2, 3, 8, 9].map(dependencies.page)]),
    );
    reads.start();
    expect(reads.taken(8).dependencies).toEqual(Float64Array.of(dependencies.everything));
  });

  it('does not last with groups of too many', () => {
    reads.noteAll(Float64Array.from({ length: 5_000 }, (_, id) => dependencies.page(id)));
    expect(reads.taken(1).dependencies).toBeUndefined();
  });

  it('begins anew with each work', () => {
    notePages(3);
    reads.markUncacheable();
    reads.start();
    expect(reads.taken(1).dependencies).toEqual(Float64Array.of(dependencies.everything));
  });

  it('does not last if the work has read something that no change tells of', () => {
    reads.markUncacheable();
    expect(reads.taken(1)).toEqual({
      seq: 1,
      dependencies: undefined,
      noted: Float64Array.of(dependencies.everything),
    });
  });

  it.each([
    [4_999, 5_000],
    [5_000, undefined],
    [30_000, undefined],
  ])('of %d pages has %s dependencies, also if each is noted many times', (pages, expected) => {
    for (let time = 0; time < 5; time++) notePages(pages);
    expect(reads.taken(1).dependencies?.length).toBe(expected);
  });

  it('keeps what was taken when the next work begins', () => {
    notePages(2);
    const { dependencies: first } = reads.taken(1);
    reads.start();
    reads.note(dependencies.page(9));
    reads.taken(2);
    expect(first).toEqual(Float64Array.from([dependencies.everything, ...[1, 2].map(dependencies.page)]));
  });
});
