import { parse } from 'es-module-lexer/js';
import type { AssetRef, ContentReader } from '../content.ts';

/** Public address of an asset; `v` makes a changed asset a new address (Core, "Assets"). */
export function assetUrl(asset: AssetRef): string {
  return `/_assets/${asset.kind}/${asset.id}.${asset.kind}?v=${asset.updated_at}`;
}

/** The links of a page to its assets: CSS for the head, JS for the end of the body. */
export interface AssetTags {
  readonly css: string;
  readonly js: string;
}

/**
 * Tags in loading order; of duplicates the first place counts (open points 12, "Head").
 * Scripts with module syntax are loaded as modules.
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

/**
 * The same with the contents in the document itself, in the form their authors gave them.
 */
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
    const content = contentOf(asset);
    if (asset.kind === 'css') css += `<style>\n${insideStyle(content)}\n</style>\n`;
    else
      js += `<script${hasModuleSyntax(content) ? ' type="module"' : ''}>\n${insideScript(content)}\n</script>\n`;
  }
  return { css, js };
}

/** An end tag inside would end the element; CSS reads the escaped slash as a slash. */
function insideStyle(css: string): string {
  return css.replaceAll(/<\/(?=style)/gi, '<\\/');
}

/** As above; a comment opening would change where the element ends. JS reads both escapes in texts as what they were. */
function insideScript(js: string): string {
  return js.replaceAll(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3C!--');
}

/**
 * Tells whether scripts are modules, reading each version of a script once.
 *
 * - Key: id and `updated_at`, which grows with every change; so nothing is ever invalid.
 * - Limits: `MAX_KNOWN` versions, then it starts anew.
 */
export function createModuleDetector(reader: Pick<ContentReader, 'asset'>): (asset: AssetRef) => boolean {
  const known = new Map<string, boolean>();
  return (ref) => {
    const key = `${ref.id}:${ref.updated_at}`;
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    const found = hasModuleSyntax(reader.asset(ref.id)?.content ?? '');
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, found);
    return found;
  };
}

const MAX_KNOWN = 10_000;

/** `import`/`export` statements or `import.meta`. A script that cannot be read at all is no module. */
export function hasModuleSyntax(source: string): boolean {
  try {
    return parse(source)[3];
  } catch {
    return false;
  }
}
