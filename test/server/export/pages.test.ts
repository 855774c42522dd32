import { describe, expect, it } from 'vitest';
import type { ExportedPages, ExportPagesTask } from '../../../runtime/tasks/messages/exports.ts';
import { ContentVersion } from '../../../server/changes/content-version.ts';
import { ExportPages } from '../../../server/features/export/pages.ts';
import { type ExportDeps, ExportTasks } from '../../../server/features/export/tasks.ts';

const site = { siteId: 1, scheme: 'https', base: undefined, hosts: [], links: 'root' } as const;
const reads = { seq: 0, dependencies: Float64Array.of(0) };

/** Exports these detail pages with a process that makes at most `most` pages in a task. */
async function exported(paths: readonly string[], most: number, workers = 1) {
  const batches: (readonly string[])[] = [];
  const lanes: (number | undefined)[] = [];
  const render = ({ paths: asked }: ExportPagesTask): ExportedPages => {
    const made = asked.slice(0, most);
    batches.push(made);
    return {
      reads,
      outcomes: made.map(() => ({ kind: 'missing' })),
      found: { links: [], media: [], assets: [] },
    };
  };
  // Type boundary: only what pages need, with a process that answers at once.
  const deps = {
    pool: {
      run: async (task: ExportPagesTask | { kind: 'export-details' }, lane?: number) => {
        if (task.kind !== 'export-pages') return { reads, paths: Buffer.from(paths.join('\n')) };
        lanes.push(lane);
        return render(task);
      },
    },
    snapshots: { read: async () => {} },
    staging: { reserve: () => 'spool', release: async () => {} },
    version: new ContentVersion(),
    clock: () => 0,
    workers,
  } as unknown as ExportDeps;
  const pages = new ExportPages(deps, new ExportTasks(deps, site), site.siteId);
  await pages.findSeeds();
  await pages.render([]);
  return {
    batches,
    lanes,
    outcomes: [...pages.parts].flatMap(({ outcomes }) => outcomes.map(([path]) => path)),
  };
}

const paths = Array.from({ length: 30 }, (_, index) => `/p${index}`);

describe('the pages of an export', () => {
  it('are all rendered once, also if a task has no time for all of its batch', async () => {
    const { batches, outcomes } = await exported(paths, 2);
    expect(outcomes.toSorted()).toEqual(paths.toSorted());
    expect(batches.every(({ length }) => length === 2 || length === 1)).toBe(true);
  });

  it('come in batches of neighbours in the order of the archive', async () => {
    const { batches } = await exported(paths, 100);
    expect(batches.flat()).toEqual(paths.toSorted());
    expect(batches.map(({ length }) => length)).toEqual([8, 8, 8, 6]);
  });

  it('begin with one batch for each process', async () => {
    const { lanes } = await exported(paths, 100, 3);
    expect(lanes.slice(0, 6)).toEqual([0, 1, 2, 0, 1, 2]);
  });
});
