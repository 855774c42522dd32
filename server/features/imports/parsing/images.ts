/** Images in several sizes: the largest one is taken over, and the service makes the others. */
import { webAddress } from './address.ts';
import { type Element, findAttribute, setAttribute } from './dom.ts';
import type { TakenFile } from './messages.ts';
import { type Candidate, findLargest, parseSrcset } from './srcset.ts';
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
