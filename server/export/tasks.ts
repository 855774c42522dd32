import type { ExportedSite } from '../../runtime/export/site.ts';
import type { ExportedFiles, ExportedPages, ExportOutcome } from '../../runtime/tasks/messages.ts';
import type { Parts } from '../feature.ts';
import type { PublicMedia } from '../media/index.ts';
import { WorkerLostError } from '../render-process.ts';
import type { SourcedPool } from '../sourced-pool.ts';
import type { Staging } from '../storage/staging.ts';

export interface ExportDeps extends Pick<Parts, 'reader' | 'snapshots' | 'version' | 'clock'> {
  readonly pool: SourcedPool;
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
   */
  async pages(paths: readonly string[]): Promise<PagesPart[]> {
    const common = this.#common();
    let result: ExportedPages;
    try {
      result = await this.#deps.pool.run({ kind: 'export-pages', paths, ...common });
    } catch (error) {
      if (!(error instanceof WorkerLostError)) throw error;
      if (paths.length > 1) return this.#eachAlone(paths);
      const outcome = { kind: 'failed', message: error.message } as const;
      result = { reads: { seq: 0, dependencies: undefined }, outcomes: [outcome], found: nothingFound };
      return [{ spool: common.spool, result, outcomes: paths.map((path) => [path, outcome]) }];
    }
    const alone: string[] = [];
    const outcomes: [string, PagesPart['outcomes'][number][1]][] = [];
    for (const [index, outcome] of result.outcomes.entries()) {
      const path = paths[index] ?? '';
      if (outcome.kind === 'alone') alone.push(path);
      else outcomes.push([path, outcome]);
    }
    return [{ spool: common.spool, result, outcomes }, ...(await this.#eachAlone(alone))];
  }

  async system(): Promise<FilesPart> {
    const common = this.#common();
    return { spool: common.spool, result: await this.#deps.pool.run({ kind: 'export-system', ...common }) };
  }

  async assets(assets: readonly string[]): Promise<FilesPart> {
    const common = this.#common();
    return {
      spool: common.spool,
      result: await this.#deps.pool.run({ kind: 'export-assets', assets, ...common }),
    };
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
    for (const path of paths) parts.push(...(await this.pages([path])));
    return parts;
  }

  #common() {
    const spool = this.#deps.staging.reserve();
    this.#spools.add(spool);
    return { site: this.#site, scheme: this.#site.scheme, now: this.#now, spool };
  }
}

const nothingFound = { links: [], media: [], assets: [] };
