/**
 * Looks at a website without changing anything (Data, "Website import", rule 1): its pages from sitemaps and links,
 * and the hosts that it loads files from.
 */
import { apiError } from '../../../base/errors.ts';
import { collectHosts } from '../hosts.ts';
import { fetchPage, isPage, readFacts } from '../loading/load-page.ts';
import { ResourceList, resourceLimits } from '../loading/resource-list.ts';
import { type RobotsRules, readRobots } from '../loading/robots.ts';
import { importLimits, type ScanResult } from '../model.ts';
import {
  formatPath,
  isSameSite,
  pageKey,
  pageKeyWithoutQuery,
  webAddress,
  withoutFragment,
} from '../parsing/address.ts';
import { findResourceKind } from '../parsing/extensions.ts';
import type { PageFacts } from '../parsing/messages.ts';
import { PathPlan } from '../paths.ts';
import { readSitemaps } from './sitemaps.ts';
import type { ScanTools } from './tools.ts';

export interface ScanOptions {
  /** Absolute address. */
  readonly url: string;
  readonly crawl: boolean;
  readonly respectRobots: boolean;
}

type SourceOfPage = ScanResult['pages'][number]['source'];

interface FoundPage {
  readonly url: string;
  readonly source: SourceOfPage;
  readonly isExcluded: boolean;
  title: string;
}

/** @throws ApiError `import.startFailed` */
export async function scanSite(tools: ScanTools, options: ScanOptions): Promise<ScanResult> {
  const { progress, fetcher } = tools;
  progress.phase('import.phaseStart', 1);
  const start = await loadStart(tools, options.url);
  const base = new URL('/', start.url);
  progress.phase('import.phaseRobots');
  const robots = await readRobots(fetcher, base);
  if (robots.fault !== undefined)
    progress.note('warn', 'import.robotsBroken', { reason: robots.fault }, new URL('/robots.txt', base).href);
  const rules: RobotsRules = options.respectRobots ? robots : { ...robots, allows: () => true };
  if (options.respectRobots) fetcher.setPause(base.host, robots.pauseMs);
  const listed = await readSitemaps(tools, base, robots);
  const scan = new Scan(tools, base, rules);
  scan.addPage(start.url, 'start');
  for (const url of listed.pages) scan.addPage(url, 'sitemap');
  scan.addFacts(start.url, start.facts);
  await scan.lookAtPages(options.crawl || listed.sitemaps.length === 0);
  await scan.lookAtStyles();
  return { base: base.href, sitemaps: [...listed.sitemaps], ...(await scan.result()) };
}

/** The first page decides which website it is: redirects are followed. */
async function loadStart(
  tools: ScanTools,
  url: string,
): Promise<{ readonly url: string; readonly facts: PageFacts }> {
  const failed = (reason: string) => apiError('import.startFailed', { url, reason });
  const answer = await tools.fetcher.fetch(url, { maxBytes: 8 * 2 ** 20 });
  if (answer.kind !== 'content') throw failed(answer.kind === 'failed' ? answer.reason : 'it has no content');
  if (!isPage(answer)) throw failed(`not an HTML page (content type ${answer.contentType})`);
  const facts = await readFacts(tools, answer);
  if (facts === undefined) throw failed('it cannot be read');
  return { url: withoutFragment(new URL(answer.url)), facts };
}

class Scan {
  readonly #tools: ScanTools;
  readonly #base: URL;
  readonly #robots: RobotsRules;
  readonly #pages = new Map<string, FoundPage>();
  readonly #frontier = new CrawlFrontier();
  readonly #resources = new ResourceList();
  /** Pages that were looked at, and those of them that scripts make. */
  readonly #looked = { pages: 0, empty: 0 };

  constructor(tools: ScanTools, base: URL, robots: RobotsRules) {
    this.#tools = tools;
    this.#base = base;
    this.#robots = robots;
  }

  /** Adds a page of the website, once. */
  addPage(address: string, source: SourceOfPage): void {
    const url = webAddress(address, this.#base.href);
    if (url === undefined || !isSameSite(url, this.#base)) return;
    const key = pageKey(url);
    // When the list is full, the frontier need not know what else there is.
    if (this.#isLimitNoted || this.#pages.has(key)) return;
    if (source === 'link' && !this.#frontier.accepts(url)) return;
    if (this.#pages.size >= this.#tools.maxPages) {
      this.#noteLimit();
      return;
    }
    const isExcluded = !this.#robots.allows(url.href);
    this.#pages.set(key, { url: withoutFragment(url), source, isExcluded, title: '' });
  }

  /** Notes what a page says and loads. */
  addFacts(url: string, facts: PageFacts): void {
    const page = this.#pages.get(pageKey(new URL(url)));
    if (page !== undefined) page.title = facts.title;
    this.#looked.pages += 1;
    if (facts.isMadeByScripts) this.#looked.empty += 1;
    this.#resources.addAll(facts.resources);
    this.#links.set(url, facts.links);
  }

  /** Links of pages that are not followed yet. */
  readonly #links = new Map<string, readonly string[]>();

  /** Looks at all pages that links lead to, or at a few. */
  async lookAtPages(follows: boolean): Promise<void> {
    const { progress } = this.#tools;
    const looked = new Set<string>([...this.#links.keys()].map((url) => pageKey(new URL(url))));
    if (follows) this.#followLinks();
    progress.phase('import.phasePages', follows ? this.#pages.size : importLimits.samples);
    const open = (): [string, FoundPage][] =>
      [...this.#pages].filter(([key, { isExcluded }]) => !isExcluded && !looked.has(key));
    for (let next = open(); next.length > 0; next = follows ? open() : []) {
      const some = next.slice(0, follows ? roundSize : importLimits.samples);
      const notes = await Promise.all(
        some.map(async ([key, page]) => {
          looked.add(key);
          const note = await this.#lookAt(page);
          progress.pageDone();
          return note;
        }),
      );
      // In the order of the list: which page answers first changes nothing.
      for (const note of notes) note?.();
      if (!follows) break;
      this.#followLinks();
    }
  }

  /** Looks at a page. What is returned notes what it says; undefined if it says nothing. */
  async #lookAt(page: FoundPage): Promise<(() => void) | undefined> {
    const answer = await fetchPage(this.#tools, page.url);
    if (answer.kind !== 'content' || !isPage(answer)) return undefined;
    const target = new URL(answer.url);
    const facts = isSameSite(target, this.#base) ? await readFacts(this.#tools, answer) : undefined;
    await this.#tools.workspace.remove(answer.file);
    if (facts === undefined) return undefined;
    return () => {
      const key = pageKey(target);
      // A page that leads to another one is none of its own.
      if (key !== pageKey(new URL(page.url))) {
        this.#pages.delete(pageKey(new URL(page.url)));
        this.addPage(answer.url, page.source);
      }
      this.addFacts(withoutFragment(target), facts);
    };
  }

  #followLinks(): void {
    for (const [url, links] of this.#links) {
      for (const link of links) this.addPage(link, 'link');
      this.#links.set(url, []);
    }
  }

  /** Style sheets load files from hosts that no page names. */
  async lookAtStyles(): Promise<void> {
    const { progress, fetcher, pool, workspace } = this.#tools;
    progress.phase('import.phaseHosts');
    const looked = new Set<string>();
    const next = (): string | undefined =>
      this.#resources.ofKind('css').find(({ url }) => !looked.has(url))?.url;
    for (let url = next(); url !== undefined && looked.size < importLimits.sampleStyles; url = next()) {
      looked.add(url);
      const answer = await fetcher.fetch(url, { maxBytes: maxStyleBytes });
      if (answer.kind !== 'content') continue;
      const { file, contentType } = answer;
      const facts = await pool
        .run({ kind: 'read-css', file, url: answer.url, contentType })
        .catch(() => undefined);
      this.#resources.addAll(facts?.resources ?? []);
      await workspace.remove(file);
    }
  }

  async result(): Promise<Pick<ScanResult, 'pages' | 'hosts' | 'js_rendered'>> {
    if (this.#resources.isCut)
      this.#tools.progress.note('warn', 'import.filesLimited', { max: resourceLimits.files });
    const plan = new PathPlan({ targetPath: '/', isTargetHome: true });
    const found = [...this.#pages.values()];
    const paths = await plan.pathsFor(found.map(({ url }) => new URL(url)));
    return {
      pages: found.map(({ url, source, title, isExcluded }) => ({
        url,
        path: paths.get(pageKey(new URL(url))) ?? '/',
        title,
        source,
        ...(isExcluded ? { excluded: 'robots' as const } : {}),
      })),
      hosts: await collectHosts(this.#resources, this.#base),
      js_rendered: this.#looked.empty * 2 > this.#looked.pages,
    };
  }

  #isLimitNoted = false;

  #noteLimit(): void {
    if (this.#isLimitNoted) return;
    this.#isLimitNoted = true;
    this.#tools.progress.note('warn', 'import.pagesLimited', { max: this.#tools.maxPages });
  }
}

/** Pages that are looked at between two looks at what they lead to. */
const roundSize = 50;
const maxStyleBytes = 4 * 2 ** 20;

/** Bounds for websites that make up addresses without end, such as calendars. */
const limits = { queriesOfPath: 50, depth: 20, repeats: 3, siblings: 2000 } as const;

/** Decides which links of a website are followed. */
class CrawlFrontier {
  readonly #queries = new Map<string, number>();
  readonly #siblings = new Map<string, number>();

  /** Whether an address is worth a look. Counts it, so each address is asked about once. */
  accepts(url: URL): boolean {
    if (findResourceKind(url) !== undefined) return false;
    const segments = formatPath(url).split('/').slice(1);
    if (segments.length > limits.depth || hasLoop(segments)) return false;
    const parent = segments.slice(0, -1).join('/');
    if (!countUpTo(this.#siblings, parent, limits.siblings)) return false;
    return url.search === '' || countUpTo(this.#queries, pageKeyWithoutQuery(url), limits.queriesOfPath);
  }
}

function countUpTo(counts: Map<string, number>, key: string, limit: number): boolean {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count <= limit;
}

/** Relative links that are wrong lead deeper and deeper: `/a/b/a/b/a/b`. */
function hasLoop(segments: readonly string[]): boolean {
  return segments.some((segment) => segments.filter((other) => other === segment).length > limits.repeats);
}
