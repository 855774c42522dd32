/** Takes over all files that the written pages load: style sheets with what they load, scripts, media. */

import type { FetchedContent } from '../fetcher.ts';
import { reasonOf } from '../load-page.ts';
import { forEachInParallel } from '../parallel.ts';
import { isSameSite } from '../parsing/address.ts';
import type { CssFacts, ResourceKind, ResourceLink, TakenFile } from '../parsing/messages.ts';
import { AssetImport, maxAssetLength } from './assets.ts';
import { FileImport } from './files.ts';
import type { Counters, RunPlan, RunTools } from './tools.ts';

/** What was taken over, by address. */
export interface TakenResources {
  readonly assets: ReadonlyMap<string, number>;
  readonly files: ReadonlyMap<string, TakenFile>;
}

/** Files that are loaded at the same time. */
const width = 10;
/** Largest source of a style sheet or script, in bytes. */
const maxCodeBytes = 16 * 2 ** 20;

export async function takeResources(
  tools: RunTools,
  plan: RunPlan,
  counters: Counters,
  resources: Iterable<ResourceLink>,
): Promise<TakenResources> {
  return new ResourceImport(tools, plan, counters).take(resources);
}

/** A style sheet that is to be converted when everything that it loads is there. */
interface LoadedStyle extends CssFacts {
  readonly source: FetchedContent;
}

class ResourceImport {
  readonly #tools: RunTools;
  readonly #plan: RunPlan;
  readonly #files: FileImport;
  readonly #assets: AssetImport;
  readonly #styles = new Map<string, LoadedStyle>();
  readonly #takenAssets = new Map<string, number>();
  readonly #takenFiles = new Map<string, TakenFile>();

  constructor(tools: RunTools, plan: RunPlan, counters: Counters) {
    this.#tools = tools;
    this.#plan = plan;
    this.#files = new FileImport(tools, plan, counters);
    this.#assets = new AssetImport(tools, plan, counters);
  }

  async take(resources: Iterable<ResourceLink>): Promise<TakenResources> {
    const wanted = new Map<string, ResourceKind>();
    const want = ({ url, kind }: ResourceLink): void => {
      if (!wanted.has(url) && this.#isTaken(url)) wanted.set(url, kind);
    };
    for (const resource of resources) want(resource);
    await this.#loadStyles(wanted, want);
    const others = [...wanted].filter(([, kind]) => kind !== 'css');
    await forEachInParallel(others, width, ([url, kind]) =>
      kind === 'js' ? this.#takeScript(url) : this.#takeFile(url),
    );
    for (const url of this.#styles.keys()) await this.#convertStyle(url, new Set());
    return { assets: this.#takenAssets, files: this.#takenFiles };
  }

  /** Files of the website itself are taken, others if the user has chosen their host. */
  #isTaken(address: string): boolean {
    const url = new URL(address);
    return isSameSite(url, this.#plan.base) || this.#plan.downloadHosts.has(url.host);
  }

  /** Style sheets first, because they lead to further style sheets and files. */
  async #loadStyles(
    wanted: ReadonlyMap<string, ResourceKind>,
    want: (link: ResourceLink) => void,
  ): Promise<void> {
    const looked = new Set<string>();
    const open = (): string[] =>
      [...wanted].flatMap(([url, kind]) => (kind === 'css' && !looked.has(url) ? [url] : []));
    for (let next = open(); next.length > 0; next = open()) {
      await forEachInParallel(next, width, async (url) => {
        looked.add(url);
        const facts = await this.#loadStyle(url);
        for (const link of facts?.resources ?? []) want(link);
      });
    }
  }

  async #loadStyle(url: string): Promise<CssFacts | undefined> {
    const source = await this.#fetchCode(url);
    if (source === undefined) return undefined;
    try {
      const { file, contentType } = source;
      const facts = await this.#tools.pool.run({ kind: 'read-css', file, url: source.url, contentType });
      this.#styles.set(url, { source, ...facts });
      return facts;
    } catch (error) {
      this.#note(url, reasonOf(error));
      return undefined;
    }
  }

  /** The source of a style sheet or script; undefined if there is none, or if it has not changed. */
  async #fetchCode(url: string): Promise<FetchedContent | undefined> {
    const { fetcher } = this.#tools;
    const known = await this.#assets.find(url);
    const condition = this.#plan.force || this.#plan.overwriteModified ? undefined : known;
    const answer = await fetcher.fetch(url, { maxBytes: maxCodeBytes, known: condition });
    if (answer.kind === 'unchanged') {
      if (known !== undefined) this.#takenAssets.set(url, this.#assets.reuse(known));
      return undefined;
    }
    const fault = faultOf(answer);
    if (fault === undefined && answer.kind === 'content') return answer;
    this.#note(url, fault ?? 'it has no content');
    return undefined;
  }

  async #takeFile(url: string): Promise<void> {
    const file = await this.#files.take(url);
    if (file !== undefined) this.#takenFiles.set(url, file);
  }

  async #takeScript(url: string): Promise<void> {
    const source = await this.#fetchCode(url);
    if (source === undefined) return;
    try {
      const { file, contentType } = source;
      const code = await this.#tools.pool.run({ kind: 'convert-js', file, url: source.url, contentType });
      if (code.hasRelativeImports) this.#tools.progress.note('warn', 'import.scriptImports', {}, url);
      await this.#keepCode('js', url, source, code.text);
    } catch (error) {
      this.#note(url, reasonOf(error));
    }
  }

  /**
   * Converts a style sheet after those that it imports. Browsers ignore an import that leads back to a style sheet
   * that is being loaded; such an import is left empty.
   *
   * @param above style sheets that have led here
   */
  async #convertStyle(url: string, above: ReadonlySet<string>): Promise<void> {
    const style = this.#styles.get(url);
    if (style === undefined || this.#takenAssets.has(url) || this.#takenFiles.has(url)) return;
    const path = new Set([...above, url]);
    for (const imported of style.imports) if (!path.has(imported)) await this.#convertStyle(imported, path);
    const replacements = new Map<string, string>();
    for (const link of style.resources) {
      const address = path.has(link.url) ? 'data:text/css,' : this.#addressOf(link.url);
      if (address !== undefined) replacements.set(link.url, address);
    }
    const { file, contentType, url: base } = style.source;
    try {
      const task = { kind: 'convert-css', file, url: base, contentType, replacements } as const;
      const { text } = await this.#tools.pool.run(task);
      await this.#keepCode('css', url, style.source, text);
    } catch (error) {
      this.#note(url, reasonOf(error));
    }
    this.#styles.delete(url);
  }

  #addressOf(url: string): string | undefined {
    const id = this.#takenAssets.get(url);
    return id === undefined ? this.#takenFiles.get(url)?.url : `/_assets/css/${id}.css`;
  }

  /** Code that is too long for an asset becomes a file. */
  async #keepCode(kind: 'css' | 'js', url: string, source: FetchedContent, text: string): Promise<void> {
    if (text.length <= maxAssetLength) {
      this.#takenAssets.set(url, await this.#assets.store(kind, url, source, text));
      return;
    }
    const file = await this.#files.takeContent(url, source);
    if (file !== undefined) this.#takenFiles.set(url, file);
  }

  #note(url: string, reason: string): void {
    this.#tools.progress.note('warn', 'import.fileNotImported', { reason }, url);
  }
}

/** Why an answer is no code; a host that has none often sends a page. */
function faultOf(
  answer:
    | { readonly kind: 'content'; readonly contentType: string }
    | { readonly kind: 'failed'; readonly reason: string },
): string | undefined {
  if (answer.kind === 'failed') return answer.reason;
  return /^\s*(?:text\/html|application\/xhtml)/i.test(answer.contentType) ? 'it is a page' : undefined;
}
