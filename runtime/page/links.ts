import { maxPathLength, normalizePath } from './address.ts';

/** Most different links, or addresses of files, that one text is searched for. */
const maxLinks = 1000;

/**
 * The addresses that the HTML of a template leads to, each once: a path of the same website (`/visit`) or
 * host and path (`//example.org/visit`), in the normal form of paths. An address that a tag computes, or that
 * is relative to the page, is left out, and so is everything in comments. Only the first 1,000 are found.
 */
export function linksIn(source: string): string[] {
  const links = new Set<string>();
  for (const [, double, single, bare] of withoutComments(source).matchAll(attribute)) {
    const link = linkOf((double ?? single ?? bare ?? '').trim());
    if (link !== undefined) links.add(link);
    if (links.size === maxLinks) break;
  }
  return [...links];
}

/** Whether a text may contain links; false for most text without markup. */
export function mayHaveLinks(source: string): boolean {
  return /\b(?:href|action)\s*=/i.test(source);
}

const attribute = /\s(?:href|action|formaction)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+))/gi;

/** An unclosed `{#` is text, as is one that is not closed on its line; any other unclosed comment ends the text. */
function withoutComments(source: string): string {
  const withoutTags = withoutSpans(source, /\{%-?\s*comment\b[^%]*%\}/g, /\{%-?\s*endcomment\s*-?%\}/g);
  return withoutSpans(withoutSpans(withoutTags, /\{#/g, /#\}|\n|$/g), /<!--/g, /-->/g);
}

/**
 * A text without everything from an opening to its closing mark. A closing mark that is empty or a line break
 * removes nothing. Takes linear time, which one pattern for both marks would not.
 */
function withoutSpans(text: string, opening: RegExp, closing: RegExp): string {
  let kept = '';
  let from = 0;
  let searchedTo = 0;
  for (const { index } of text.matchAll(opening)) {
    if (index < searchedTo) continue;
    closing.lastIndex = index;
    const end = closing.exec(text);
    searchedTo = end === null ? text.length : end.index + end[0].length;
    if (end?.[0] === '' || end?.[0] === '\n') continue;
    kept += text.slice(from, index);
    from = searchedTo;
  }
  return kept + text.slice(from);
}

/** A link in its normal form; undefined for an address that is computed, relative, or no page. */
function linkOf(address: string): string | undefined {
  if (address.length > maxPathLength || /\{[{%]/.test(address)) return undefined;
  const [, host, path] = /^(?:https?:)?\/\/([^/?#\\@]+)(.*)$/i.exec(address) ?? [];
  if (host !== undefined) return `//${host.toLowerCase().replace(/:\d*$/, '')}${normalizePath(path ?? '')}`;
  return address.startsWith('/') && !address.startsWith('//') ? normalizePath(address) : undefined;
}

const mediaAddress = /\/media\/([a-z0-9_-]{1,200}\.[a-z0-9]{1,11})(?:\.webp)?(?![a-z0-9_.-]*\/)/g;

/** Paths of files below /media/ that a text of any language names, each once. The WebP version counts as its file. */
export function mediaLinksIn(source: string): string[] {
  if (!source.includes('/media/')) return [];
  const paths = new Set<string>();
  for (const [, path = ''] of source.matchAll(mediaAddress)) {
    paths.add(path);
    if (paths.size === maxLinks) break;
  }
  return [...paths];
}

/** Addresses below /media/ in HTML with their queries, each once; at most 500. */
export function mediaAddressesIn(html: string): string[] {
  const found = new Set<string>();
  for (const [address] of html.matchAll(/\/media\/[a-z0-9_.-]{1,210}(?:\?[^\s"'<>()]{1,500})?/g)) {
    found.add(address.replaceAll('&amp;', '&'));
    if (found.size === 500) break;
  }
  return [...found];
}

const dataAddress = /\/api\/v1\/(?:data|collections)\/([a-z][a-z0-9_-]{0,99})(?![A-Za-z0-9_-])/g;

/** A collection or source that a text names by its address. */
export interface DataLink {
  readonly slug: string;
  /** Offset of the slug. */
  readonly offset: number;
}

/** Addresses of collections and sources in a text of any language, such as `/api/v1/data/news`; at most 1,000. */
export function dataLinksIn(source: string): DataLink[] {
  if (!mayHaveDataLinks(source)) return [];
  const found: DataLink[] = [];
  for (const { index, 0: address, 1: slug = '' } of source.matchAll(dataAddress)) {
    found.push({ slug, offset: index + address.length - slug.length });
    if (found.length === maxLinks) break;
  }
  return found;
}

/** Whether a text may name a collection or source by its address. */
export function mayHaveDataLinks(source: string): boolean {
  return source.includes('/api/v1/');
}

/** Whether a text may name a file. */
export function mayHaveMediaLinks(source: string): boolean {
  return source.includes('/media/');
}
