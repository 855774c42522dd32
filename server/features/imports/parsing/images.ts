/** Images in several sizes: the largest one is taken over, and the service makes the others. */
import { webAddress } from './address.ts';
import { type Element, findAttribute, setAttribute } from './dom.ts';
import type { TakenFile } from './messages.ts';
import { replaceUrl, type VisitContext } from './visitor.ts';

/** Attributes that belong together: one address, and the same image in several sizes. */
const pairs = [
  ['src', 'srcset'],
  ['href', 'imagesrcset'],
  ['data-src', 'data-srcset'],
  ['data-lazy-src', 'data-lazy-srcset'],
] as const;

/** Visits `<img>`, `<source>` and hints about images. The `src` of a `<source>` of a video is a file of its own. */
export function visitImages(element: Element, context: VisitContext): void {
  const isMedia = element.tagName === 'source' && findAttribute(element, 'srcset') === undefined;
  for (const [single, set] of pairs) {
    const candidates = parseSrcset(findAttribute(element, set) ?? '');
    if (largestAddress(candidates, context.base) !== undefined)
      visitSet(element, { single, set, candidates }, context);
    else if (single === 'src' || single === 'href')
      replaceUrl(element, single, context, (url) =>
        context.visitor.resource(url, isMedia ? 'file' : 'img', { mustBeAbsolute: false, element }),
      );
  }
}

interface ImageSet {
  readonly single: string;
  readonly set: string;
  readonly candidates: readonly Candidate[];
}

function visitSet(element: Element, { single, set, candidates }: ImageSet, context: VisitContext): void {
  const { base, visitor } = context;
  const largest = findLargest(candidates.filter(({ url }) => webAddress(url, base) !== undefined));
  const url = largest === undefined ? undefined : webAddress(largest.url, base);
  if (largest === undefined || url === undefined) return;
  const file = visitor.image(url);
  if (file === undefined) {
    setAttribute(element, set, absoluteSet(candidates, context));
    replaceUrl(element, single, context, (address) => visitor.other(address));
    return;
  }
  if (findAttribute(element, single) !== undefined) setAttribute(element, single, file.url);
  setAttribute(element, set, file.srcset || (element.tagName === 'source' ? file.url : undefined));
  keepSize(element, largest, file);
}

/**
 * With densities the image has the size of its file divided by the density. The service describes its variants by
 * width, so the size must be said.
 */
function keepSize(element: Element, { density }: Candidate, { width, srcset }: TakenFile): void {
  if (density === undefined || density <= 0 || width === 0 || srcset === '') return;
  if (findAttribute(element, 'sizes') === undefined)
    setAttribute(element, 'sizes', `${Math.round(width / density)}px`);
}

/** The same srcset with absolute addresses; undefined, which removes it, if none is left. */
function absoluteSet(candidates: readonly Candidate[], { base, visitor }: VisitContext): string | undefined {
  const kept = candidates.map(({ url, width, density }) => {
    const address = webAddress(url, base);
    const descriptor = width === undefined ? `${density ?? 1}x` : `${width}w`;
    return `${address === undefined ? url : (visitor.other(address) ?? url)} ${descriptor}`;
  });
  return kept.length === 0 ? undefined : kept.join(', ');
}

function largestAddress(candidates: readonly Candidate[], base: string): URL | undefined {
  const usable = candidates.filter(({ url }) => webAddress(url, base) !== undefined);
  return findLargest(usable) === undefined ? undefined : webAddress(findLargest(usable)?.url ?? '', base);
}

/** The attribute `srcset` (HTML, "Parsing a srcset attribute"). */

export interface Candidate {
  readonly url: string;
  /** Width in pixels, for a descriptor like `640w`. */
  readonly width?: number;
  /** Pixel density, for a descriptor like `2x` or none. */
  readonly density?: number;
}

/** The candidates of a srcset in their order; those that make no sense are left out. */
function parseSrcset(text: string): Candidate[] {
  const candidates: Candidate[] = [];
  let rest = text.replace(/^[\s,]+/, '');
  while (rest !== '') {
    const [url = ''] = /^\S+/.exec(rest) ?? [];
    rest = rest.slice(url.length);
    let descriptor = '';
    if (!url.endsWith(',')) {
      const [whole = ''] = /^(?:[^,(]|\([^)]*\)?)*/.exec(rest) ?? [];
      descriptor = whole.trim();
      rest = rest.slice(whole.length);
    }
    const candidate = candidateOf(url.replace(/,+$/, ''), descriptor);
    if (candidate !== undefined) candidates.push(candidate);
    rest = rest.replace(/^[\s,]+/, '');
  }
  return candidates;
}

function candidateOf(url: string, descriptor: string): Candidate | undefined {
  if (url === '') return undefined;
  if (descriptor === '') return { url, density: 1 };
  const [, width] = /(?:^|\s)(\d+)w(?:\s|$)/.exec(descriptor) ?? [];
  if (width !== undefined) return { url, width: Number(width) };
  const [, density] = /(?:^|\s)(\d*\.?\d+)x(?:\s|$)/.exec(descriptor) ?? [];
  return density === undefined ? undefined : { url, density: Number(density) };
}

/** The largest candidate; of equal ones the first. */
function findLargest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, candidate) => (best === undefined || sizeOf(candidate) > sizeOf(best) ? candidate : best),
    undefined,
  );
}

function sizeOf({ width, density }: Candidate): number {
  return width ?? density ?? 0;
}
