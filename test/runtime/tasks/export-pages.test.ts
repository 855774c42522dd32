import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RenderWorker } from '../../../runtime/tasks/context.ts';
import { exportPagesTask } from '../../../runtime/tasks/export-pages.ts';
import { installInto } from '../demo-content/database.ts';

const dir = mkdtempSync(join(tmpdir(), 'incipit-export-'));
let worker: RenderWorker;
let spools = 0;

beforeAll(() => {
  const databaseFile = join(dir, 'content.db');
  installInto(databaseFile);
  worker = new RenderWorker({
    databaseFile,
    cacheDir: join(dir, 'cache'),
    scheme: 'https',
    signingKeyFile: '',
  });
});
afterAll(() => {
  worker.close();
  rmSync(dir, { recursive: true });
});

/** The outcomes of a task that may take this time, and the bytes of its temporary file. */
async function exported(paths: readonly string[], maxMs: number, willReturn = true) {
  const spool = join(dir, `spool-${spools++}`);
  const site = { siteId: 1, scheme: 'https', base: 'museum.example', hosts: [], links: 'root' } as const;
  const task = {
    kind: 'export-pages',
    paths,
    maxMs,
    willReturn,
    site,
    scheme: 'https',
    now: 0,
    spool,
  } as const;
  const { outcomes } = await exportPagesTask(worker.contextFor(), task);
  return { outcomes, spoolBytes: statSync(spool).size };
}

describe('a task that exports pages', () => {
  const paths = ['/', '/gone', '/'];

  it('makes one page at least, and leaves the others when its time is over', async () => {
    const { outcomes, spoolBytes } = await exported(paths, 0);
    expect(outcomes).toMatchObject([{ kind: 'file', file: { start: 0, packedBytes: spoolBytes } }]);
  });

  it('makes all pages in the time that it has', async () => {
    const { outcomes } = await exported(paths, Number.POSITIVE_INFINITY);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['file', 'missing', 'file']);
  });

  it('keeps templates only of pages that it will be given again, or had before', async () => {
    const { engine, memo } = worker.contextFor().tools;
    const kept = () =>
      ['/', '/visit'].map((path) => engine.keepsSource(memo.pageByPath(1, path)?.html ?? ''));
    await exported(['/'], Number.POSITIVE_INFINITY);
    const { outcomes } = await exported(['/visit', '/'], Number.POSITIVE_INFINITY, false);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['file', 'file']);
    expect(kept()).toEqual([true, false]);
  });
});
