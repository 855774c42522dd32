import { join } from 'node:path';
import type { PageOutcome } from '../../runtime/tasks/messages/delivery.ts';
import { Pool, type WorkerKind } from '../../server/processes/pool.ts';
import { recordingLog } from '../../test/support/quiet-log.ts';

/** The content that a pool renders. */
export interface PoolSite {
  /** Path of content.db. */
  readonly databaseFile: string;
  /** Folder of the cache of templates and the key of media. */
  readonly folder: string;
  readonly host: string;
}

/** A pool as the server has it for visitors. */
export function openRenderPool(
  workerKind: WorkerKind,
  workers: number,
  { databaseFile, folder }: PoolSite,
  sendsAhead = true,
): Pool {
  return new Pool({
    filename: new URL('../../runtime/worker.ts', import.meta.url).pathname,
    workerKind,
    settings: {
      databaseFile,
      cacheDir: join(folder, 'cache'),
      scheme: 'http',
      signingKeyFile: join(folder, 'media.key'),
    },
    workers,
    sendsAhead,
    askOutside: () => Promise.reject(new Error('nothing is asked')),
    log: recordingLog(),
  });
}

/** Renders a page as for a visitor whose browser takes no compressed form. */
export async function renderPage(
  pool: Pool,
  { host }: PoolSite,
  path: string,
  query: string,
): Promise<PageOutcome['kind']> {
  const { outcome } = await pool.run({ kind: 'page', host, scheme: 'http', path, query, now: Date.now() });
  return outcome.kind;
}
