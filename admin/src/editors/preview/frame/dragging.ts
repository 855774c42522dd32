/** A drag of blocks in the page: the line where they would go, and what does not take them. */
import type { FrameList, FramePlace } from '../messages.ts';
import { dropAt, listKey, type Point } from './gaps.ts';
import type { Marks } from './marks.ts';
import type { Overlay } from './overlay.ts';

/** A press becomes a drag after so many pixels. */
const dragPx = 4;
/** A drag scrolls the page so near to its edge, and so far at a time, in pixels. */
const edgePx = 40;
const scrollPx = 16;

export class Dragging {
  readonly #overlay: Overlay;
  readonly #from: Point;
  /** Keys of lists that take the blocks. */
  #allowed: ReadonlySet<string> = new Set();
  #isMoving: boolean;
  #place: FramePlace | undefined;

  /** @param isMoving whether it is more than a press already */
  constructor(overlay: Overlay, from: Point, isMoving = false) {
    this.#overlay = overlay;
    this.#from = from;
    this.#isMoving = isMoving;
  }

  /** Where they would go now. */
  get place(): FramePlace | undefined {
    return this.#place;
  }

  allow(lists: readonly FrameList[]): void {
    this.#allowed = new Set(lists.map(listKey));
  }

  /** @param origin of the tree @param ids of the dragged blocks */
  moveTo(point: Point, marks: Marks, origin: string, ids: ReadonlySet<string>): void {
    this.#isMoving ||= Math.hypot(point.x - this.#from.x, point.y - this.#from.y) > dragPx;
    if (!this.#isMoving) return;
    if (point.y < edgePx) scrollBy({ top: -scrollPx, behavior: 'instant' });
    if (point.y > innerHeight - edgePx) scrollBy({ top: scrollPx, behavior: 'instant' });
    const { gap, refused } = dropAt(marks, origin, this.#allowed, ids, point);
    this.#place = gap?.place;
    this.clear();
    if (gap !== undefined) this.#overlay.line(gap.line);
    if (refused !== undefined) this.#overlay.refused(refused);
  }

  /** The blocks are not over the page any more. */
  leave(): void {
    this.#place = undefined;
    this.clear();
  }

  clear(): void {
    this.#overlay.clear('drop');
    this.#overlay.clear('refused');
  }
}
