/** Loads the pages of an import and decides what is done with each (Data, "Website import", the text after the rules). */

import { TimeSlices } from '../../../base/timers.ts';
import { findAtPath, type KnownPage, listImported } from '../../pages/imported.ts';
import type { FetchedContent, FetchOutcome } from '../loading/fetcher.ts';
import { fetchPage, isPage, readFacts } from '../loading/load-page.ts';
import { ResourceList } from '../loading/resource-list.ts';
import type { PageAction } from '../model.ts';
import { forEachInParallel } from '../parallel.ts';
import { formatPath, isSameSite, pageKey, withoutFragment } from '../parsing/address.ts';
import { PathPlan } from '../paths.ts';
import { findPageSource } from '../store.ts';
import { isTakenOver } from './resources.ts';
import type { PageContent, PlannedPage, RunPlan, RunTools } from './tools.ts';

/** Pages that are loaded at the same time. */
const width = 6;

/** What pages load and lead to, as far as the files of the import depend on it. */
export interface LoadedPages {
  readonly pages: readonly PlannedPage[];
  /** Files of the pages that are written. */
  readonly resources: ResourceList;
  /** Paths of all imported pages by `pageKey`, those of earlier imports and redirects included. */
  readonly paths: ReadonlyMap<string, string>;
  /** The same when it turns out later that some of these pages fail: they take no path. */
  without(failed: readonly PlannedPage[]): Promise<LoadedPages>;
}

/** A page whose source is there, or why it is not. */
interface Answered {
  readonly key: string;
  readonly url: string;
  readonly known: KnownPage | undefined;
  readonly outcome: { readonly source: FetchedContent } | 'unchanged' | 'failed' | 'skipped';
}

/** Tells the log why an existing page is left as it is. */
type ActionNote = () => void;

interface Decision {
  readonly page: PlannedPage;
  readonly note: ActionNote | undefined;
}

export async function loadPages(tools: RunTools, plan: RunPlan): Promise<LoadedPages> {
  return new Loader(tools, plan).load();
}

class Loader {
  readonly #tools: RunTools;
  readonly #plan: RunPlan;
  /** Pages of earlier imports by `pageKey`. */
  readonly #known = new Map<string, KnownPage>();
  /** Keys that lead to other pages. */
  readonly #redirects = new Map<string, string>();
  readonly #answered = new Map<string, Answered>();
  readonly #wanted = new Map<string, URL>();
  /** Pages that were read, by `pageKey`. */
  readonly #contents = new Map<string, PageContent>();
  readonly #resources: ResourceList;
  /** Keys of the pages of which the log has been told. */
  readonly #noted = new Set<string>();

  constructor(tools: RunTools, plan: RunPlan) {
    this.#tools = tools;
    this.#plan = plan;
    this.#resources = new ResourceList((url) => isTakenOver(plan, url));
  }

  async load(): Promise<LoadedPages> {
    const { reader, progress } = this.#tools;
    const { target, urls, base } = this.#plan;
    const slices = new TimeSlices();
    for (const page of await listImported(reader, target.id)) {
      await slices.next();
      const source = page.source_url === '' ? undefined : new URL(page.source_url);
      if (source !== undefined && isSameSite(source, base) && page.root_id === target.rootId)
        this.#known.set(pageKey(source), page);
    }
    for (const url of urls) {
      this.#wanted.set(pageKey(url), url);
      await slices.next();
    }
    progress.phase('import.phaseLoad', this.#wanted.size);
    const answers = new Map<string, FetchOutcome>();
    await forEachInParallel(this.#wanted, width, async ([key, url]) => {
      answers.set(key, await this.#fetch(key, url));
      progress.pageDone();
    });
    // In the order in which pages were asked for: which host answers first changes nothing.
    for (const [key, url] of this.#wanted) {
      const answer = answers.get(key);
      if (answer !== undefined) this.#answer(key, url, answer);
      await slices.next();
    }
    return this.#loaded();
  }

  async #loaded(): Promise<LoadedPages> {
    const { pages, paths } = await this.#planPages();
    for (const [from, to] of this.#redirects) {
      const path = paths.get(to);
      if (path !== undefined && !paths.has(from)) paths.set(from, path);
    }
    const without = (failed: readonly PlannedPage[]): Promise<LoadedPages> => {
      for (const { key } of failed) this.#fail(key);
      return this.#loaded();
    };
    return { pages, resources: this.#resources, paths, without };
  }

  #fail(key: string): void {
    const answered = this.#answered.get(key);
    if (answered !== undefined) this.#answered.set(key, { ...answered, outcome: 'failed' });
  }

  async #fetch(key: string, url: URL): Promise<FetchOutcome> {
    const known = this.#known.get(key);
    const state = known === undefined ? undefined : await findPageSource(this.#tools.reader, known.id);
    return fetchPage(this.#tools, url.href, this.#plan.force ? undefined : state);
  }

  /** Notes what a page has answered. A redirect makes no second page. */
  #answer(key: string, url: URL, answer: FetchOutcome): void {
    const { base } = this.#plan;
    const { progress } = this.#tools;
    const known = this.#known.get(key);
    const target = new URL(answer.url);
    const own = { key, url: withoutFragment(url), known };
    if (answer.kind === 'content' && !isSameSite(target, base)) {
      progress.note('warn', 'import.pageElsewhere', { target: answer.url }, url.href);
      this.#answered.set(key, { ...own, outcome: 'skipped' });
    } else if (answer.kind === 'content' && pageKey(target) !== key) {
      this.#redirect(key, url, answer);
    } else {
      this.#answered.set(key, { ...own, url: withoutFragment(target), outcome: this.#outcome(answer, url) });
    }
  }

  /** The page that a redirect leads to is imported once, under its own address. */
  #redirect(key: string, url: URL, answer: FetchedContent): void {
    const target = withoutFragment(new URL(answer.url));
    const targetKey = pageKey(new URL(target));
    this.#tools.progress.note('info', 'import.pageRedirected', { target }, url.href);
    this.#redirects.set(key, targetKey);
    if (this.#wanted.has(targetKey) || this.#answered.has(targetKey)) {
      this.#answered.set(key, { key, url: url.href, known: undefined, outcome: 'skipped' });
      return;
    }
    const known = this.#known.get(targetKey) ?? this.#known.get(key);
    this.#answered.set(targetKey, {
      key: targetKey,
      url: target,
      known,
      outcome: this.#outcome(answer, url),
    });
  }

  #outcome(answer: FetchOutcome, url: URL): Answered['outcome'] {
    if (answer.kind === 'failed') return 'failed';
    if (answer.kind === 'unchanged') return 'unchanged';
    if (isPage(answer)) return { source: answer };
    this.#tools.progress.note('warn', 'import.pageNotHtml', { type: answer.contentType }, url.href);
    return 'skipped';
  }

  /** A page that turns out to be unreadable takes no path: all are planned again without it. */
  async #planPages(): Promise<
    Pick<LoadedPages, 'pages' | 'paths'> & { readonly paths: Map<string, string> }
  > {
    const slices = new TimeSlices();
    for (;;) {
      const paths = await this.#paths();
      const pages: PlannedPage[] = [];
      const notes = new Map<string, ActionNote>();
      const unread: Answered[] = [];
      for (const answered of this.#answered.values()) {
        const { page, note } = await this.#decide(answered, paths);
        pages.push(page);
        if (note !== undefined) notes.set(answered.key, note);
        if (page.action === 'failed' && typeof answered.outcome !== 'string') unread.push(answered);
        await slices.next();
      }
      for (const { key } of unread) this.#fail(key);
      if (unread.every(({ known }) => known !== undefined)) {
        for (const [key, note] of notes) if (!this.#noted.has(key)) note();
        for (const key of notes.keys()) this.#noted.add(key);
        return { pages, paths };
      }
    }
  }

  /** The paths of all pages, by key. Pages that exist keep theirs, and pages without a source take none. */
  async #paths(): Promise<Map<string, string>> {
    const { target, base } = this.#plan;
    const known = new Map<string, string>();
    /** Paths of pages that came from other addresses of the same website. */
    const taken = new Map<string, string>();
    const slices = new TimeSlices();
    for (const [key, page] of this.#known) {
      known.set(formatPath(new URL(page.source_url)), page.path);
      taken.set(page.path, key);
      await slices.next();
    }
    const homePath = this.#homePath();
    const planner = new PathPlan({
      targetPath: target.path,
      isTargetHome: target.isHome,
      known,
      ...(homePath === undefined ? {} : { homePath }),
      isTaken: (path, key) => taken.has(path) && taken.get(path) !== key,
    });
    const fresh: URL[] = [];
    for (const { url: text, known: page, outcome } of this.#answered.values()) {
      const url = new URL(text);
      const path = formatPath(url);
      // The home page is there whether its source is or not.
      const isHome = (path === '/' || path === homePath) && url.search === '';
      if (page === undefined && (typeof outcome !== 'string' || isHome)) fresh.push(url);
      await slices.next();
    }
    const paths = await planner.pathsFor(fresh);
    for (const [key, page] of this.#known) paths.set(key, page.path);
    if (homePath !== undefined) paths.set(pageKey(base), target.path);
    return paths;
  }

  /** If the home page leads to a page that has none below it, that page is the home page. */
  #homePath(): string | undefined {
    const target = this.#redirects.get(pageKey(this.#plan.base));
    if (target === undefined) return undefined;
    const path = target.slice(target.indexOf('/')).replace(/\?.*$/, '');
    const isAbove = [...this.#answered.keys()].some((key) => key.startsWith(`${target}/`));
    return isAbove ? undefined : path;
  }

  async #decide({ key, url, known, outcome }: Answered, paths: Map<string, string>): Promise<Decision> {
    const path = paths.get(key) ?? '';
    const existing = known ?? (path === '' ? undefined : await this.#pageAt(path));
    const isHome =
      existing === undefined ? path === this.#plan.target.path : existing.id === this.#plan.target.id;
    const common = { key, url, isHome, existing, path: existing?.path ?? path };
    const without = (action: PageAction, note?: ActionNote): Decision => {
      if (existing === undefined || action === 'foreign') paths.delete(key);
      const place = existing === undefined ? { path: '' } : {};
      return { page: { ...common, ...place, action, content: undefined }, note };
    };
    if (typeof outcome === 'string') return without(outcome);
    const { action, note } = await this.#actionFor(outcome.source, existing, url);
    if (action !== 'created' && action !== 'updated') return without(action, note);
    const content = await this.#read(key, outcome.source);
    return content === undefined
      ? without('failed')
      : { page: { ...common, action, content }, note: undefined };
  }

  #pageAt(path: string): Promise<KnownPage | undefined> {
    return findAtPath(this.#tools.reader, this.#plan.target.rootId, path);
  }

  async #actionFor(
    source: FetchedContent,
    existing: KnownPage | undefined,
    url: string,
  ): Promise<{ readonly action: PageAction; readonly note?: ActionNote }> {
    if (existing === undefined) return { action: 'created' };
    const { base, target, overwrite, overwriteModified, force } = this.#plan;
    const { progress } = this.#tools;
    const { id, path } = existing;
    const isFrom = (address: string): boolean => isSameSite(new URL(address), base);
    if (existing.source_url !== '' && !isFrom(existing.source_url)) {
      return {
        action: 'foreign',
        note: () => progress.note('warn', 'import.pageForeign', { path }, url),
      };
    }
    const state = existing.source_url === '' ? undefined : await findPageSource(this.#tools.reader, id);
    if (state?.hash === source.hash && !force) return { action: 'unchanged' };
    // A new website and a level that an import has made itself are there to be filled.
    const isEmpty =
      (target.isNew && id === target.id) ||
      (existing.source_url === '' && existing.import_root === target.id && !existing.local_modified);
    if (!overwrite && !isEmpty) {
      return { action: 'skipped', note: () => progress.note('info', 'import.pageExists', { path }, url) };
    }
    if (existing.local_modified && !overwriteModified && !isEmpty) {
      return {
        action: 'modified',
        note: () => progress.note('warn', 'import.pageModified', { id }, url),
      };
    }
    return { action: 'updated' };
  }

  /** Reads a page that is written, and notes what it loads. */
  async #read(key: string, source: FetchedContent): Promise<PageContent | undefined> {
    const known = this.#contents.get(key);
    if (known !== undefined) return known;
    const facts = await readFacts(this.#tools, source);
    if (facts === undefined) return undefined;
    const { lang, resources, styles, scripts } = facts;
    this.#resources.addAll(resources);
    if (facts.isQuirky) this.#tools.progress.note('info', 'import.pageQuirks', {}, source.url);
    const content: PageContent = {
      source,
      // Only the ends that can be shared, in strings that the list has anyway.
      facts: {
        lang,
        styles: this.#resources.prefixOf(styles),
        scripts: this.#resources.prefixOf(scripts.toReversed()).reverse(),
      },
    };
    this.#contents.set(key, content);
    return content;
  }
}
