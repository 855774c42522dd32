import type { Progress } from '../jobs/jobs.ts';
import type { Fetcher } from '../loading/fetcher.ts';
import type { ParsingPool } from '../loading/pool.ts';
import type { Workspace } from '../loading/workspace.ts';

/** What the steps of a scan work with. */
export interface ScanTools {
  readonly fetcher: Fetcher;
  readonly pool: ParsingPool;
  readonly workspace: Workspace;
  readonly progress: Progress;
  readonly maxPages: number;
}
