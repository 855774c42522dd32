import type { SharedServices } from '../../../feature.ts';
import { Pool } from '../../../processes/pool.ts';
import type { ParsingResults, ParsingTask } from '../parsing/messages.ts';

export type ParsingPool = Pick<Pool<ParsingTask, ParsingResults>, 'run'>;

/** What one process may take; a page that takes more is left out. */
const limits = { timeoutMs: 20_000, maxMemoryMb: 256, processes: 2 } as const;

/** Processes that read what other websites send. None runs while nothing is imported. */
export function parsingPool(
  { config, log }: Pick<SharedServices, 'config' | 'log'>,
  filename: string,
): Pool<ParsingTask, ParsingResults> {
  return new Pool({
    filename,
    settings: {},
    jobName: 'reading a page',
    workers: Math.min(config.workers, limits.processes),
    timeoutMs: limits.timeoutMs,
    maxMemoryMb: limits.maxMemoryMb,
    idleMs: 5_000,
    queueLimit: 10_000,
    log,
  });
}
