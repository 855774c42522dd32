/** Places between blocks of a page, by the pointer. */
import type { FrameList, FramePlace } from '../messages.ts';
import {
  type BlockMark,
  blockAround,
  findBox,
  findFrameList,
  isRow,
  type ListMark,
  type Mark,
  type Marks,
  outerBlock,
  readOrigin,
} from './marks.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place with the line that shows it. */
export interface Gap {
  readonly place: FramePlace;
  readonly line: DOMRect;
  readonly list: ListMark;
}

/** The plus appears so near to the edge of a block, in pixels. */
const nearPx = 14;
const lineWidth = 4;

export function listKey({ parent, slot }: FrameList): string {
  return `${parent ?? ''}/${slot}`;
}

/** The innermost block of the edited tree at a point. Inside of a global block that is its reference. */
function ownBlockAt(marks: Marks, origin: string, { x, y }: Point): BlockMark | undefined {
  const element = document.elementFromPoint(x, y);
  let block = element === null ? undefined : blockAround(marks, element);
  while (block !== undefined && readOrigin(block) !== origin) block = outerBlock(block);
  return block;
}

/** The list that a block stands in. */
function listAround(marks: Marks, block: BlockMark): ListMark | undefined {
  return marks.lists.find((list) => list.blocks.includes(block));
}

/** A gap that the pointer is near to; undefined if it is inside of a block or elsewhere. */
export function gapNear(marks: Marks, origin: string, point: Point): Gap | undefined {
  let block = ownBlockAt(marks, origin, point);
  while (block !== undefined) {
    const list = listAround(marks, block);
    const gap = list === undefined ? undefined : nearestGap(list, [], point);
    if (gap !== undefined && distanceTo(gap.line, point) <= nearPx) return gap;
    block = outerBlock(block);
  }
  for (const list of marks.lists.toReversed()) {
    const box = readOrigin(list) === origin ? findBox(list) : undefined;
    if (box === undefined || !isInside(box, point)) continue;
    const gap = nearestGap(list, [], point);
    if (gap !== undefined && distanceTo(gap.line, point) <= nearPx * 2) return gap;
  }
  return undefined;
}

interface Drop {
  readonly gap: Gap | undefined;
  /** A list under the pointer that does not take the dragged blocks. */
  readonly refused: DOMRect | undefined;
}

/**
 * Where dragged blocks would go.
 *
 * @param allowed keys of lists that take them
 * @param dragged their IDs
 */
export function dropAt(
  marks: Marks,
  origin: string,
  allowed: ReadonlySet<string>,
  dragged: ReadonlySet<string>,
  point: Point,
): Drop {
  let refused: DOMRect | undefined;
  const lists = listsAt(marks, origin, point);
  for (const list of lists) {
    const named = findFrameList(list);
    if (named === undefined) continue;
    if (allowed.has(listKey(named))) return { gap: nearestGap(list, dragged, point), refused };
    refused ??= findBox(list);
  }
  return { gap: undefined, refused };
}

/** Lists around a point, innermost first; an empty slot of the block there counts as innermost. */
function listsAt(marks: Marks, origin: string, point: Point): readonly ListMark[] {
  const own = marks.lists.filter((list) => readOrigin(list) === origin);
  const block = ownBlockAt(marks, origin, point);
  const empty =
    block === undefined ? [] : own.filter((list) => list.blocks.length === 0 && outerBlock(list) === block);
  const around: ListMark[] = [];
  for (let mark: Mark | undefined = block; mark !== undefined; mark = mark.parent)
    if (mark.kind !== 'block' && own.includes(mark)) around.push(mark);
  const root = own.find(({ kind }) => kind === 'list');
  if (root !== undefined && !around.includes(root)) around.push(root);
  return [...empty, ...around];
}

/** The gap of a list that is nearest to a point. */
function nearestGap(
  list: ListMark,
  without: ReadonlySet<string> | readonly string[],
  point: Point,
): Gap | undefined {
  const named = findFrameList(list);
  if (named === undefined) return undefined;
  const left = new Set(without);
  const shown = list.blocks.flatMap((block) => {
    const box = left.has(block.id) ? undefined : findBox(block);
    return box === undefined ? [] : [{ block, box }];
  });
  if (shown.length === 0) return { place: { ...named, before: null }, line: emptyLine(list), list };
  const isSideways = isRow(shown.map(({ box }) => box));
  const gaps = shown.flatMap(({ block, box }, index): Gap[] => {
    const before = { place: { ...named, before: block.id }, line: edgeOf(box, isSideways, false), list };
    const next = list.blocks.slice(list.blocks.indexOf(block) + 1).find(({ id }) => !left.has(id));
    const after = {
      place: { ...named, before: next?.id ?? null },
      line: edgeOf(box, isSideways, true),
      list,
    };
    return index === 0 || isSideways ? [before, after] : [after];
  });
  return gaps.reduce((best, gap) =>
    distanceTo(gap.line, point) < distanceTo(best.line, point) ? gap : best,
  );
}

/** The line at the beginning or the end of a block. */
function edgeOf(box: DOMRect, isSideways: boolean, isEnd: boolean): DOMRect {
  if (isSideways)
    return new DOMRect((isEnd ? box.right : box.left) - lineWidth / 2, box.top, lineWidth, box.height);
  return new DOMRect(box.left, (isEnd ? box.bottom : box.top) - lineWidth / 2, box.width, lineWidth);
}

/** Where an empty list would begin: below the element before its markers, else at the top of what is around. */
export function emptyLine({ start }: Pick<ListMark, 'start'>): DOMRect {
  const around = start.parentElement?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, 0);
  let before: Node | null = start.previousSibling;
  while (before !== null && !(before instanceof Element && before.getBoundingClientRect().height > 0))
    before = before.previousSibling;
  const top = before instanceof Element ? before.getBoundingClientRect().bottom : around.top;
  return new DOMRect(around.left, top, Math.max(around.width, 80), lineWidth);
}

function isInside(box: DOMRect, { x, y }: Point): boolean {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

function distanceTo(box: DOMRect, { x, y }: Point): number {
  const dx = Math.max(box.left - x, 0, x - box.right);
  const dy = Math.max(box.top - y, 0, y - box.bottom);
  return Math.hypot(dx, dy);
}
