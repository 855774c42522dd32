/** Drags of the chosen blocks: by their name tag in the page, or from outside of it. */
import type { FrameList, FromFrame } from '../messages.ts';
import { Dragging } from './dragging.ts';
import type { Point } from './gaps.ts';
import type { Marks } from './marks.ts';
import type { Overlay } from './overlay.ts';

/** What a drag needs of the page, as it is now. */
export interface DraggedPage {
  marks(): Marks;
  /** Origin of the tree that is edited. */
  origin(): string;
  /** IDs of the chosen blocks. */
  ids(): readonly string[];
  onEnd(): void;
}

export class Drags {
  readonly #overlay: Overlay;
  readonly #send: (message: FromFrame) => void;
  readonly #page: DraggedPage;
  #drag: Dragging | undefined;

  constructor(overlay: Overlay, send: (message: FromFrame) => void, page: DraggedPage) {
    this.#overlay = overlay;
    this.#send = send;
    this.#page = page;
  }

  get isOn(): boolean {
    return this.#drag !== undefined;
  }

  allow(lists: readonly FrameList[]): void {
    this.#drag?.allow(lists);
  }

  /** A press on the handle. */
  grab(event: PointerEvent): void {
    event.preventDefault();
    const id = this.#page.ids().at(-1);
    if (event.button !== 0 || id === undefined) return;
    if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId);
    this.#drag = new Dragging(this.#overlay, { x: event.clientX, y: event.clientY });
    this.#send({ kind: 'drag', id });
  }

  /** The chosen blocks are dragged from outside. @param at undefined while they are not over the page */
  carry(at: Point | undefined): void {
    const id = this.#page.ids().at(-1);
    if (at === undefined || id === undefined) {
      this.#drag?.leave();
      return;
    }
    if (this.#drag === undefined) {
      this.#drag = new Dragging(this.#overlay, at, true);
      this.#send({ kind: 'drag', id });
    }
    this.moveTo(at);
  }

  /** Whether there is a drag that moves. */
  moveTo(point: Point): boolean {
    const { marks, origin, ids } = this.#page;
    this.#drag?.moveTo(point, marks(), origin(), new Set(ids()));
    return this.isOn;
  }

  end(isDropped: boolean): void {
    const drag = this.#drag;
    if (drag === undefined) return;
    this.#drag = undefined;
    drag.clear();
    if (isDropped && drag.place !== undefined) this.#send({ kind: 'drop', place: drag.place });
    this.#page.onEnd();
  }
}
