import { parse } from 'es-module-lexer/js';
import type { AssetRef, ContentReader } from '../content/reader.ts';

/** Public address of an asset; `v` gives a changed asset a new address (Core, "Assets"). */
export function assetUrl(asset: AssetRef): string {
  return `/_assets/${asset.kind}/${asset.id}.${asset.kind}?v=${asset.updated_at}`;
}

/** The links of a page to its assets: CSS for the head, JS for the end of the body. */
export interface AssetTags {
  readonly css: string;
  readonly js: string;
}

/**
 * Tags in loading order; a duplicate asset keeps its first place. Scripts with module syntax are loaded as
 * modules.
 */
export function assetTags(assets: Iterable<AssetRef>, isModule: (asset: AssetRef) => boolean): AssetTags {
  const seen = new Set<number>();
  let css = '';
  let js = '';
  for (const asset of assets) {
    if (seen.has(asset.id)) continue;
    seen.add(asset.id);
    if (asset.kind === 'css') css += `<link rel="stylesheet" href="${assetUrl(asset)}">\n`;
    else js += `<script ${isModule(asset) ? 'type="module" ' : ''}src="${assetUrl(asset)}"></script>\n`;
  }
  return { css, js };
}

/** Like `assetTags`, but with the contents of the assets in the document, as their authors wrote them. */
export function inlineAssetTags(
  assets: Iterable<AssetRef>,
  contentOf: (asset: AssetRef) => string,
): AssetTags {
  const seen = new Set<number>();
  let css = '';
  let js = '';
  for (const asset of assets) {
    if (seen.has(asset.id)) continue;
    seen.add(asset.id);
    if (asset.kind === 'css') css += inlineStyle(contentOf(asset));
    else js += inlineScript(contentOf(asset));
  }
  return { css, js };
}

/** An element with this CSS. */
export function inlineStyle(css: string): string {
  return `<style>\n${insideStyle(css)}\n</style>\n`;
}

/** An element with this JS; a module if it has the syntax of one. */
export function inlineScript(js: string): string {
  return `<script${hasModuleSyntax(js) ? ' type="module"' : ''}>\n${insideScript(js)}\n</script>\n`;
}

/** An end tag in the content would end the element. CSS reads the escaped slash as a slash. */
function insideStyle(css: string): string {
  return css.replaceAll(/<\/(?=style)/gi, '<\\/');
}

/** As above; `<!--` would change where the element ends. JS strings read both escapes as the same text. */
function insideScript(js: string): string {
  return js.replaceAll(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3C!--');
}

/**
 * Tells whether scripts are modules, reading each version of a script once.
 *
 * - Key: id and `updated_at`, which grows with every change, so that no entry becomes invalid.
 * - Limits: `maxKnown` versions; then all are dropped.
 */
export class ModuleDetector {
  readonly #reader: Pick<ContentReader, 'asset'>;
  readonly #known = new Map<string, boolean>();

  constructor(reader: Pick<ContentReader, 'asset'>) {
    this.#reader = reader;
  }

  isModule(ref: AssetRef): boolean {
    const key = `${ref.id}:${ref.updated_at}`;
    const answer = this.#known.get(key);
    if (answer !== undefined) return answer;
    const found = hasModuleSyntax(this.#reader.asset(ref.id)?.content ?? '');
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }
}

const maxKnown = 10_000;

/** `import`/`export` statements or `import.meta`. A script that cannot be parsed is not a module. */
export function hasModuleSyntax(source: string): boolean {
  try {
    return parse(source)[3];
  } catch {
    return false;
  }
}
