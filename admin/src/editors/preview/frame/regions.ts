/** The places of words in the page, which the preview marks by the names of regions. */

import type { Point } from './gaps.ts';
import { isIn } from './marks.ts';

interface RegionMark {
  readonly name: string;
  readonly start: Comment;
  readonly end: Comment;
}

const opening = /^ic-region:(.*)$/s;
const closing = /^\/ic-region:/;

/** In document order of their ends, so inner ones come before those around them. */
export function findRegions(root: Node): readonly RegionMark[] {
  const found: RegionMark[] = [];
  const open: { readonly name: string; readonly start: Comment }[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Comment)) continue;
    const [, name] = opening.exec(node.data) ?? [];
    if (name !== undefined) open.push({ name, start: node });
    else if (closing.test(node.data)) {
      const last = open.pop();
      if (last !== undefined) found.push({ ...last, end: node });
    }
  }
  return found;
}

/** The innermost region at a point, and the name of the words that an attribute of the element shows. */
export function regionAt(regions: readonly RegionMark[], element: Element, point: Point): string | undefined {
  const inner = regions.find((region) => isAt(region, point));
  if (inner !== undefined) return inner.name;
  const [attribute] = element.closest('[data-ic-region]')?.getAttribute('data-ic-region')?.split(' ') ?? [];
  if (attribute !== undefined) return attribute;
  // Beside the words, in the space of the element that has only them.
  const own = regions.filter(({ start }) => start.parentNode === element);
  return own.length === 1 ? own[0]?.name : regions.find((region) => isIn(region, element))?.name;
}

/** The boxes of what shows the words of a region. */
export function findRegionBoxes(regions: readonly RegionMark[], name: string): readonly DOMRect[] {
  const ranges = regions.filter((region) => region.name === name).map((region) => rangeOf(region));
  const elements = document.querySelectorAll(`[data-ic-region~="${CSS.escape(name)}"]`);
  const boxes = [...ranges, ...elements].map((shown) => shown.getBoundingClientRect());
  return boxes.filter(({ width, height }) => width > 0 && height > 0);
}

function isAt(region: RegionMark, { x, y }: Point): boolean {
  return [...rangeOf(region).getClientRects()].some(
    ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
  );
}

function rangeOf({ start, end }: RegionMark): Range {
  const range = document.createRange();
  range.setStartAfter(start);
  range.setEndBefore(end);
  return range;
}
