/** What a pointer does in the page becomes messages to the admin. */
import type { FrameBox, FromFrame } from '../messages.ts';
import type { Drags } from './drags.ts';
import type { Point } from './gaps.ts';
import { blockAround, fieldAt, findBox, listBlockChain, type Marks } from './marks.ts';

/** The page under the pointer, as it is now. */
export interface PointedPage {
  readonly drags: Drags;
  marks(): Marks;
  /** The region whose words an element shows at a point, if they are edited. */
  regionAt(element: Element, point: Point): string | undefined;
  /** Whether its blocks or words are edited. */
  isEdited(): boolean;
  /** Whether its blocks are edited. */
  hasBlocks(): boolean;
  /** Whether something lies over the page instead of in it. */
  isOverlay(target: EventTarget | null): boolean;
  /** The element whose text is being typed. */
  typed(): Element | undefined;
  onMove(): void;
  /** The pointer has rested for a while. */
  onRest(): void;
}

/** The pointer rests so long before the plus appears. */
const restMs = 200;

export class Pointer {
  readonly #page: PointedPage;
  readonly #send: (message: FromFrame) => void;
  #point: Point | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(page: PointedPage, send: (message: FromFrame) => void) {
    this.#page = page;
    this.#send = send;
    const { drags } = page;
    document.addEventListener('pointermove', (event) => this.#moved(event));
    document.addEventListener('pointerup', () => drags.end(true));
    document.addEventListener('pointercancel', () => drags.end(false));
    document.documentElement.addEventListener('pointerleave', () => this.#left());
    document.addEventListener('click', (event) => this.#clicked(event), true);
    document.addEventListener('contextmenu', (event) => this.#menu(event));
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') drags.end(false);
    });
  }

  /** Where it is; undefined while it is not over the page. */
  get point(): Point | undefined {
    return this.#point;
  }

  #moved(event: PointerEvent): void {
    this.#point = { x: event.clientX, y: event.clientY };
    clearTimeout(this.#rest);
    if (this.#page.drags.moveTo(this.#point) || this.#page.isOverlay(event.target)) return;
    this.#rest = setTimeout(() => this.#page.onRest(), restMs);
    this.#page.onMove();
  }

  #left(): void {
    clearTimeout(this.#rest);
    this.#point = undefined;
    this.#page.onMove();
  }

  #clicked(event: MouseEvent): void {
    const { target } = event;
    if (this.#page.isOverlay(target) || !this.#page.isEdited() || !(target instanceof Element)) return;
    if (this.#page.typed()?.contains(target)) return;
    event.preventDefault();
    this.#point = { x: event.clientX, y: event.clientY };
    const block = this.#page.hasBlocks() ? blockAround(this.#page.marks(), target) : undefined;
    this.#send({
      kind: 'pick',
      blocks: listBlockChain(block),
      field: fieldAt(target, block),
      box: readBox(target.closest('[data-ic-field]')?.getBoundingClientRect() ?? (block && findBox(block))),
      region: block === undefined ? this.#page.regionAt(target, this.#point) : undefined,
      isMore: event.shiftKey || event.ctrlKey || event.metaKey,
    });
  }

  #menu(event: MouseEvent): void {
    if (!this.#page.hasBlocks() || this.#page.typed() !== undefined) return;
    event.preventDefault();
    this.#clicked(event);
    this.#send({ kind: 'menu', x: event.clientX, y: event.clientY });
  }
}

function readBox(box: DOMRect | undefined): FrameBox | undefined {
  return box && { x: box.x, y: box.y, width: box.width, height: box.height };
}
