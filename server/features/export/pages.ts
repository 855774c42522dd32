/**
 * The pages of an export: all published ones, the detail pages of the sitemap, and whatever their links lead to.
 *
 * - Pages are rendered in batches, each on one state of the content. A batch whose reads a change has touched
 *   meanwhile is rendered again (`stale`), until all batches are true at the same time. A website that changes all the
 *   time gets `maxRounds` rounds; then its newest pages are some moments older than the rest.
 * - What links lead to, which media and which assets are used is always the sum of the batches that count.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dependencies } from '../../../runtime/content/dependencies.ts';
import type { ReadSet } from '../../../runtime/content/dependency-recorder.ts';
import type { FoundLists } from '../../../runtime/export/export-findings.ts';
import { linkKey } from '../../../runtime/export/html.ts';
import { reservedNameIn } from '../../content/sites/reserved-paths.ts';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import { Batches } from './batches.ts';
import type { ExportDeps, ExportTasks, PagesPart } from './tasks.ts';

/** Most pages as long as links are followed (Core, "Limits"). */
const maxFollowed = 20_000;
/** For each process: it works on one, and need not wait for the next one to be sent. */
const batchesAtOnce = 2;

export type PageOutcome = PagesPart['outcomes'][number][1];

export class ExportPages {
  readonly #deps: ExportDeps;
  readonly #tasks: ExportTasks;
  readonly #siteId: number;
  readonly #parts = new Set<PagesPart>();
  /** Paths that must be exported, by links or of themselves. */
  readonly #known = new Set<string>();
  readonly #seeds = new Set<string>();
  #seedReads: readonly ReadSet[] = [];
  #waiting: string[] = [];
  #tooMany = false;

  constructor(deps: ExportDeps, tasks: ExportTasks, siteId: number) {
    this.#deps = deps;
    this.#tasks = tasks;
    this.#siteId = siteId;
  }

  get tooMany(): boolean {
    return this.#tooMany;
  }

  get parts(): Iterable<PagesPart> {
    return this.#parts;
  }

  /** How many of the paths that are known so far have an outcome. Links make more known. */
  get progress(): { readonly done: number; readonly total: number } {
    const done = [...this.#parts].reduce((sum, { outcomes }) => sum + outcomes.length, 0);
    return { done, total: this.#known.size };
  }

  /** Whether a page is published or in the sitemap, and not only linked. */
  isSeed(path: string): boolean {
    return this.#seeds.has(path);
  }

  /** Finds the published pages and the detail pages, again if a change has touched them. */
  async findSeeds(): Promise<void> {
    if (this.#seedReads.length === 0 || this.#areSeedsStale()) await this.#readSeeds();
  }

  /** Renders what is new or stale. @param more links from outside of the pages */
  async render(more: FoundLists['links']): Promise<void> {
    this.#dropStale();
    this.#follow(more);
    while (this.#waiting.length > 0) await this.#renderWaiting();
  }

  /** Whether a change has touched what the pages were made of. */
  isStale(): boolean {
    const { version } = this.#deps;
    return this.#areSeedsStale() || [...this.#parts].some(({ result }) => !version.isUpToDate(result.reads));
  }

  #areSeedsStale(): boolean {
    return this.#seedReads.some((reads) => !this.#deps.version.isUpToDate(reads));
  }

  async #readSeeds(): Promise<void> {
    const { snapshots, version } = this.#deps;
    const seq = version.current();
    const noted = Float64Array.of(dependencies.everything, dependencies.pagesOfSite(this.#siteId));
    await snapshots.read(async (db) => {
      for await (const paths of listPublishedPaths(db, this.#siteId))
        for (const path of paths) this.#addSeed(path);
    });
    const details = await this.#tasks.details();
    for await (const paths of linesOf(details.paths)) for (const path of paths) this.#addSeed(path);
    this.#seedReads = [{ seq, dependencies: noted }, details.reads];
  }

  #addSeed(path: string): void {
    this.#seeds.add(path);
    this.#add(path);
  }

  #add(path: string): void {
    if (this.#known.has(path)) return;
    this.#known.add(path);
    this.#waiting.push(path);
  }

  #dropStale(): void {
    for (const part of this.#parts) {
      if (this.#deps.version.isUpToDate(part.result.reads)) continue;
      this.#parts.delete(part);
      this.#tasks.drop(part);
      this.#waiting.push(...part.outcomes.map(([path]) => path));
    }
  }

  async #renderWaiting(): Promise<void> {
    // The archive has its files in order, so their bytes are read from one temporary file after the other.
    const paths = this.#waiting.sort();
    this.#waiting = [];
    const batches = new Batches(paths, this.#deps.workers);
    // Every lane begins before one sends its second batch, which would go to the process of another lane.
    const lanes = Array.from({ length: batchesAtOnce }, () => batches.lanes).flat();
    await Promise.all(lanes.map((lane) => this.#renderLane(batches, lane)));
  }

  async #renderLane(batches: Batches, lane: number): Promise<void> {
    for (let batch = batches.next(lane); batch !== undefined; batch = batches.next(lane)) {
      const { parts, left } = await this.#tasks.pages(batch, lane);
      for (const part of parts) this.#take(part);
      if (left.length > 0) batches.putBack(lane, { ...batch, paths: left });
    }
  }

  #take(part: PagesPart): void {
    this.#parts.add(part);
    for (const [, outcome] of part.outcomes)
      if (outcome.kind === 'spelling') this.#add(linkKey(outcome.path));
    this.#follow(part.result.found.links);
  }

  #follow(links: FoundLists['links']): void {
    for (const [path] of links) {
      if (this.#known.has(path) || reservedNameIn(path) !== undefined) continue;
      if (this.#known.size >= maxFollowed) this.#tooMany = true;
      else this.#add(path);
    }
  }
}

/** The lines of a text in slices. */
async function* linesOf(bytes: Uint8Array): AsyncGenerator<string[]> {
  const slice = 256 * 2 ** 10;
  const decoder = new TextDecoder();
  let open = '';
  for (let start = 0; start < bytes.length; start += slice) {
    const lines = (open + decoder.decode(bytes.subarray(start, start + slice), { stream: true })).split('\n');
    open = lines.pop() ?? '';
    yield lines;
    await nextTurn();
  }
  if (open !== '') yield [open];
}

/** The paths of the published pages of a website, in slices. The connection must be in a transaction. */
async function* listPublishedPaths(db: ContentDb, rootId: number): AsyncGenerator<string[]> {
  for await (const rows of selectPaths.slices(db, { rootId }, 1000)) yield rows.map(({ path }) => path);
}

const selectPaths = contentQuery((db, p: { rootId: number }) =>
  db
    .selectFrom('pages')
    .select('path')
    .where('root_id', '=', p.rootId)
    .where('published', '=', 1)
    .orderBy('id'),
);
