import type { Fetcher } from '../fetcher.ts';
import type { Progress } from '../jobs.ts';
import type { ParsingPool } from '../pool.ts';
import type { Workspace } from '../workspace.ts';

/** What the steps of a scan work with. */
export interface ScanTools {
  readonly fetcher: Fetcher;
  readonly pool: ParsingPool;
  readonly workspace: Workspace;
  readonly progress: Progress;
  readonly maxPages: number;
}
