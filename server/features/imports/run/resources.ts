/** Takes over all files that the written pages load: style sheets with what they load, scripts, media. */

import { assetKind } from '../../assets/service.ts';
import type { FetchedContent } from '../loading/fetcher.ts';
import { formatLoadError } from '../loading/load-page.ts';
import { type ResourceList, resourceLimits } from '../loading/resource-list.ts';
import { forEachInParallel } from '../parallel.ts';
import { isSameSite } from '../parsing/address.ts';
import type { CssFacts, ResourceLink, TakenFile } from '../parsing/messages.ts';
import { listAssetSources } from '../store.ts';
import { AssetImport, maxAssetLength } from './assets.ts';
import { FileImport } from './files.ts';
import type { Counters, RunPlan, RunTools } from './tools.ts';

/** What was taken over, by address. */
export interface TakenResources {
  readonly assets: ReadonlyMap<string, number>;
  readonly files: ReadonlyMap<string, TakenFile>;
}

/** Files that are loaded or stored at the same time. Those that are stored share commits. */
const width = 64;
/** Style sheets that import others are followed this deep, and this many imports of each. */
const maxImportDepth = 20;
const maxImports = 100;
/** Largest source of a style sheet or script, in bytes. */
const maxCodeBytes = 16 * 2 ** 20;

export async function takeResources(
  tools: RunTools,
  plan: RunPlan,
  counters: Counters,
  resources: ResourceList,
): Promise<TakenResources> {
  return new ResourceImport(tools, plan, counters).take(resources);
}

/** Adds the style sheets and scripts of earlier imports that are still there. */
export async function addKnownCode(
  { reader }: Pick<RunTools, 'reader'>,
  { target }: Pick<RunPlan, 'target'>,
  resources: ResourceList,
): Promise<void> {
  for (const [id, url] of await listAssetSources(reader, target.rootId)) {
    const asset = await assetKind.find(reader, id);
    if (asset !== undefined) resources.addAll([{ url, kind: asset.kind }]);
  }
}

/** Files of the website itself are taken, others if the user has chosen their host. */
export function isTakenOver({ base, downloadHosts }: RunPlan, address: string): boolean {
  const url = new URL(address);
  return isSameSite(url, base) || downloadHosts.has(url.host);
}

/** A style sheet that is to be converted when everything that it loads is there. */
interface LoadedStyle {
  readonly source: FetchedContent;
  /** Addresses of the style sheets that it imports. */
  readonly imports: readonly string[];
}

class ResourceImport {
  readonly #tools: RunTools;
  readonly #plan: RunPlan;
  /** Style sheets that have led to the one that is converted now. */
  readonly #above = new Set<string>();
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

  async take(resources: ResourceList): Promise<TakenResources> {
    await this.#loadStyles(resources);
    const others = resources.ofKind('js', 'img', 'font', 'file');
    await forEachInParallel(others, width, ({ url, kind }) =>
      kind === 'js' ? this.#takeScript(url) : this.#takeFile(url),
    );
    for (const url of this.#styles.keys()) await this.#convertStyle(url);
    if (resources.isCut)
      this.#tools.progress.note('warn', 'import.filesLimited', { max: resourceLimits.files });
    return { assets: this.#takenAssets, files: this.#takenFiles };
  }

  /** Style sheets first, because they lead to further style sheets and files. */
  async #loadStyles(resources: ResourceList): Promise<void> {
    const looked = new Set<string>();
    const open = (): ResourceLink[] => resources.ofKind('css').filter(({ url }) => !looked.has(url));
    for (let depth = 0, next = open(); next.length > 0 && depth < maxImportDepth; depth++, next = open()) {
      await forEachInParallel(next, width, async ({ url }) => {
        looked.add(url);
        await this.#loadStyle(url, resources);
      });
    }
  }

  async #loadStyle(url: string, resources: ResourceList): Promise<void> {
    const source = await this.#fetchCode(url);
    if (source === undefined) return;
    try {
      const facts = await this.#readStyle(source);
      resources.addAll(facts.resources);
      const imports = resources.among(facts.imports).slice(0, maxImports);
      this.#styles.set(url, { source, imports });
    } catch (error) {
      this.#note(url, formatLoadError(error));
    }
  }

  #readStyle({ file, url, contentType }: FetchedContent): Promise<CssFacts> {
    return this.#tools.pool.run({ kind: 'read-css', file, url, contentType });
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
      this.#note(url, formatLoadError(error));
    }
  }

  /**
   * Converts a style sheet after those that it imports. Browsers ignore an import that leads back to a style sheet
   * that is being loaded; such an import is left empty.
   */
  async #convertStyle(url: string): Promise<void> {
    const style = this.#styles.get(url);
    if (style === undefined) return;
    this.#above.add(url);
    for (const imported of style.imports) if (!this.#above.has(imported)) await this.#convertStyle(imported);
    try {
      const { file, contentType, url: base } = style.source;
      const replacements = await this.#replacementsFor(style.source);
      const task = { kind: 'convert-css', file, url: base, contentType, replacements } as const;
      const { text } = await this.#tools.pool.run(task);
      await this.#keepCode('css', url, style.source, text);
    } catch (error) {
      this.#note(url, formatLoadError(error));
    }
    this.#above.delete(url);
    this.#styles.delete(url);
  }

  /** What a style sheet loads is read again: kept for all of them, it could be very much. */
  async #replacementsFor(source: FetchedContent): Promise<ReadonlyMap<string, string>> {
    const replacements = new Map<string, string>();
    for (const { url } of (await this.#readStyle(source)).resources) {
      const address = this.#above.has(url) ? 'data:text/css,' : this.#addressOf(url);
      if (address !== undefined) replacements.set(url, address);
    }
    return replacements;
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
