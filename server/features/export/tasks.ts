import type { ExportedSite } from '../../../runtime/export/site.ts';
import type {
  ExportedFiles,
  ExportedPages,
  ExportOutcome,
  ExportSystemTask,
} from '../../../runtime/tasks/messages/exports.ts';
import type { ResultOf, Task, TaskResults } from '../../../runtime/tasks/messages/index.ts';
import type { SharedServices } from '../../feature.ts';
import type { Pool } from '../../processes/pool.ts';
import { WorkerLostError } from '../../processes/pool-worker.ts';
import type { Staging } from '../../storage/staging.ts';
import type { PublicMedia } from '../media/index.ts';
import type { Batch } from './batches.ts';

export interface ExportDeps extends Pick<SharedServices, 'reader' | 'snapshots' | 'version' | 'clock'> {
  readonly pool: Pool;
  /** Processes of the pool. */
  readonly workers: number;
  readonly media: PublicMedia;
  readonly staging: Staging;
}

/** The result of a task and the temporary file that it has written. */
export interface FilesPart {
  readonly spool: string;
  readonly result: ExportedFiles;
}

export interface PagesPart {
  readonly spool: string;
  readonly result: ExportedPages;
  /** Each path with its outcome. */
  readonly outcomes: readonly (readonly [path: string, outcome: Exclude<ExportOutcome, { kind: 'alone' }>])[];
}

export interface RenderedPages {
  readonly parts: readonly PagesPart[];
  /** Paths that there was no time for. */
  readonly left: readonly string[];
}

/**
 * Time for the pages of one task: little is rendered again after a change, and many slow pages are not taken for a
 * task that hangs.
 */
const maxBatchMs = 1000;

/** What all tasks need that write a temporary file. */
type CommonFields = Pick<ExportSystemTask, 'site' | 'scheme' | 'now' | 'spool'>;

/** The tasks of one export in the render processes. */
export class ExportTasks {
  readonly #deps: ExportDeps;
  readonly #site: ExportedSite;
  readonly #now: number;
  readonly #spools = new Set<string>();

  constructor(deps: ExportDeps, site: ExportedSite) {
    this.#deps = deps;
    this.#site = site;
    this.#now = deps.clock();
  }

  /**
   * Renders pages. A page that ends its process, or that must be alone, is rendered in a task of its own, so that no
   * page can spoil others.
   *
   * @param lane process that should render them (`Pool.run`)
   */
  async pages({ paths, willReturn }: Batch, lane?: number): Promise<RenderedPages> {
    let part: Omit<PagesPart, 'outcomes'>;
    try {
      const render = () =>
        this.#spooled((common) =>
          this.#run({ kind: 'export-pages', paths, maxMs: maxBatchMs, willReturn, ...common }, lane),
        );
      part = paths.length > 1 ? await render() : await again(render);
    } catch (error) {
      if (!(error instanceof WorkerLostError)) throw error;
      if (paths.length > 1) return { parts: await this.#eachAlone(paths), left: [] };
      const outcome = { kind: 'failed', message: error.message } as const;
      const result = { reads: { seq: 0, dependencies: undefined }, outcomes: [outcome], found: nothingFound };
      const part = {
        spool: this.#deps.staging.reserve(),
        result,
        outcomes: paths.map((path) => [path, outcome] as const),
      };
      return { parts: [part], left: [] };
    }
    const { spool, result } = part;
    const left = paths.slice(result.outcomes.length);
    const alone: string[] = [];
    const outcomes: [string, PagesPart['outcomes'][number][1]][] = [];
    for (const [index, outcome] of result.outcomes.entries()) {
      const path = paths[index] ?? '';
      if (outcome.kind === 'alone') alone.push(path);
      else outcomes.push([path, outcome]);
    }
    return { parts: [{ spool, result, outcomes }, ...(await this.#eachAlone(alone))], left };
  }

  /** The addresses of detail pages. */
  details(): Promise<TaskResults['export-details']> {
    return again(() => this.#run({ kind: 'export-details', siteId: this.#site.siteId }));
  }

  system(): Promise<FilesPart> {
    return again(() => this.#spooled((common) => this.#run({ kind: 'export-system', ...common })));
  }

  assets(assets: readonly string[]): Promise<FilesPart> {
    return again(() => this.#spooled((common) => this.#run({ kind: 'export-assets', assets, ...common })));
  }

  /** Deletes the temporary file of a part that is not used. */
  drop({ spool }: Pick<FilesPart, 'spool'>): void {
    this.#spools.delete(spool);
    // What cannot be deleted now is deleted at the next start, like all temporary files.
    this.#deps.staging.release(spool).catch(() => {});
  }

  /** Deletes all temporary files. */
  release(): void {
    for (const spool of this.#spools) this.drop({ spool });
  }

  async #eachAlone(paths: readonly string[]): Promise<PagesPart[]> {
    const parts: PagesPart[] = [];
    for (const path of paths) parts.push(...(await this.pages({ paths: [path], willReturn: true })).parts);
    return parts;
  }

  #run<T extends Task>(task: T, lane?: number): Promise<ResultOf<T>> {
    return this.#deps.pool.run(task, lane);
  }

  /** Runs a task with a temporary file of its own; one that fails leaves nothing in it. */
  async #spooled<Result>(
    run: (common: CommonFields) => Promise<Result>,
  ): Promise<{ readonly spool: string; readonly result: Result }> {
    const spool = this.#deps.staging.reserve();
    this.#spools.add(spool);
    try {
      const site = this.#site;
      return { spool, result: await run({ site, scheme: site.scheme, now: this.#now, spool }) };
    } catch (error) {
      this.drop({ spool });
      throw error;
    }
  }
}

/** Runs a task once more if its process was lost, which can be no fault of the task. */
async function again<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof WorkerLostError)) throw error;
    return run();
  }
}

const nothingFound = { links: [], media: [], assets: [] };
