import { join } from 'node:path';
import type { OutsideAnswer, OutsideRequest } from '../../../runtime/content/source-data.ts';
import type { WorkerSettings } from '../../../runtime/tasks/context.ts';
import type { Feature, Parts } from '../../feature.ts';
import type { SecurityHeaders } from '../../http/security-headers.ts';
import { SourcedPool } from '../../processes/sourced-pool.ts';
import type { Staging } from '../../storage/staging.ts';
import type { PublicMedia } from '../media/index.ts';
import { ExportHistory } from './history.ts';
import { exportRoutes } from './routes.ts';
import { StaticExports } from './service.ts';

export interface ExportOptions {
  readonly media: PublicMedia;
  readonly staging: Staging;
  readonly security: SecurityHeaders;
  /** Answers the REST sources and workflows that pages read. */
  readonly askOutside: (request: OutsideRequest) => Promise<OutsideAnswer>;
  /** Path of the code of a render process, and its settings. */
  readonly workerFile: string;
  readonly settings: WorkerSettings;
}

/** More processes would wait for the disk. */
const maxWorkers = 4;

/**
 * The processes live for some exports only, and everything that they run is run for each page. V8 waits too long for
 * them: it notes from the first call of a function what it is called with, optimises it after a quarter of the usual
 * number of calls, and puts less of other functions into it, which is most of the work of optimising.
 */
const flags = [
  '--no-lazy-feedback-allocation',
  '--invocation-count-for-turbofan=800',
  '--max-inlined-bytecode-size-cumulative=200',
];

/** A website as static files (Core, GET /sites/{id}/static). */
export function exportFeature(
  parts: Pick<Parts, 'reader' | 'snapshots' | 'version' | 'clock' | 'config' | 'log'>,
  { media, staging, security, askOutside, workerFile, settings }: ExportOptions,
): Feature {
  const { config, log } = parts;
  // Processes of its own, which yield to those that render for visitors.
  const workers = Math.min(config.workers + 1, maxWorkers);
  const pool = new SourcedPool({
    filename: workerFile,
    settings: { ...settings, yields: true, rendersOnce: true },
    jobName: 'a part of an export',
    moreFlags: flags,
    workers,
    timeoutMs: 60_000,
    // Who has read the report often exports next.
    idleMs: 30_000,
    log,
  });
  pool.answerSourcesWith(askOutside);
  const history = new ExportHistory(join(config.dataDir, 'cache', 'exports'));
  const exports = new StaticExports({ ...parts, pool, workers, media, staging, history, security });
  return { routes: exportRoutes(exports), close: () => pool.close() };
}
