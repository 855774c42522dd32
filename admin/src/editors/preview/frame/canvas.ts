/** Editing of blocks and words in the page: what a pointer does there becomes messages, what the admin chooses is outlined. */
import type { EditMessage, FromFrame, SelectMessage, ToFrame, TypeMessage } from '../messages.ts';
import { Drags } from './drags.ts';
import { gapNear, type Point } from './gaps.ts';
import {
  type BlockMark,
  blockAround,
  fieldElement,
  findBox,
  findMarks,
  listBlockChain,
  type Marks,
  sameChain,
} from './marks.ts';
import { Overlay, type TagActions } from './overlay.ts';
import { Pointer } from './pointer.ts';
import { findRegionBoxes, findRegions, regionAt } from './regions.ts';
import {
  addButtons,
  addLabel,
  findChosen,
  findFieldBox,
  findShape,
  type Scene,
  scrollFor,
} from './shapes.ts';
import { Typing } from './typing.ts';

export class Canvas {
  readonly #send: (message: FromFrame) => void;
  readonly #overlay = new Overlay();
  readonly #drags: Drags;
  readonly #pointer: Pointer;
  #marks: Marks | undefined;
  #regions: ReturnType<typeof findRegions> | undefined;
  #setup: EditMessage | undefined;
  #selection: SelectMessage | undefined;
  #hovered: BlockMark | undefined;
  /** The selection has to be brought into view, as soon as the page has it. */
  #isRevealWanted = false;
  #typing: Typing | undefined;
  #frame = 0;

  constructor(send: (message: FromFrame) => void) {
    this.#send = send;
    const marks = () => this.#all();
    this.#drags = new Drags(this.#overlay, send, {
      marks,
      origin: () => this.#setup?.origin ?? '',
      ids: () => this.#selection?.ids ?? [],
      onEnd: () => this.#drawLater(),
    });
    const page = {
      drags: this.#drags,
      marks,
      regionAt: (element: Element, point: Point) => this.#regionAt(element, point),
      isEdited: () => this.#setup !== undefined,
      hasBlocks: () => this.#hasBlocks,
      isOverlay: (target: EventTarget | null) => target === this.#overlay.host,
      typed: () => this.#typing?.element,
      onMove: () => this.#drawLater(),
      onRest: () => this.#offerPlus(),
    };
    this.#pointer = new Pointer(page, send);
    // Whatever moves the page moves what lies over it.
    const later = () => this.#drawLater();
    window.addEventListener('resize', later);
    for (const type of ['load', 'scroll', 'transitionend']) document.addEventListener(type, later, true);
    new ResizeObserver(later).observe(document.documentElement);
  }

  setUp(message: EditMessage): void {
    this.#setup = message;
    this.#drawLater();
  }

  receive(message: Exclude<ToFrame, { kind: 'show' | 'edit' }>): void {
    switch (message.kind) {
      case 'select':
        this.#select(message);
        break;
      case 'type':
        this.#type(message);
        break;
      case 'retype':
        if (message.value === undefined) this.#typing?.end(false);
        else this.#typing?.set(message.value);
        break;
      case 'allow':
        this.#drags.allow(message.lists);
        break;
      case 'carry':
        this.#drags.carry(message.at);
        break;
      case 'carry-end':
        this.#drags.end(message.isDropped);
    }
  }

  pageChanged(): void {
    this.#marks = undefined;
    this.#regions = undefined;
    this.#hovered = undefined;
    this.#overlay.attach();
    this.#drawLater();
    this.#reveal();
  }

  keeps(node: Node): boolean {
    return node === this.#overlay.host;
  }

  isTyped(node: Node): boolean {
    return node === this.#typing?.element;
  }

  #all(): Marks {
    this.#marks ??= findMarks(document.documentElement);
    return this.#marks;
  }

  get #hasBlocks(): boolean {
    return this.#setup !== undefined && this.#setup.origin !== '';
  }

  /** Only regions that the admin has inputs for. */
  #regionAt(element: Element, point: Point): string | undefined {
    this.#regions ??= findRegions(document.documentElement);
    const name = regionAt(this.#regions, element, point);
    return name !== undefined && Object.hasOwn(this.#setup?.regions ?? {}, name) ? name : undefined;
  }

  get #scene(): Scene | undefined {
    const setup = this.#setup;
    return setup && { marks: this.#all(), setup, selection: this.#selection };
  }

  #select(message: SelectMessage): void {
    this.#selection = message;
    this.#overlay.clear('plus');
    this.#draw();
    this.#isRevealWanted = message.isShown;
    this.#reveal();
  }

  #reveal(): void {
    const scene = this.#isRevealWanted ? this.#scene : undefined;
    const last = scene && findChosen(scene).at(-1);
    const box = last && findBox(last);
    if (box === undefined) return;
    this.#isRevealWanted = false;
    scrollBy({ top: scrollFor(box), behavior: 'instant' });
  }

  #type(message: TypeMessage): void {
    this.#typing?.end(false);
    const { field, blocks } = message.field;
    const block = this.#all().blocks.find((mark) => sameChain(listBlockChain(mark), blocks));
    if (block === undefined) return;
    const element = fieldElement(block, field);
    if (!(element instanceof HTMLElement)) return;
    this.#typing = new Typing(element, message, this.#pointer.point, this.#send, () => {
      this.#typing = undefined;
      this.#drawLater();
    });
    this.#draw();
  }

  #offerPlus(): void {
    const scene = this.#scene;
    this.#overlay.clear('plus');
    if (scene === undefined) return;
    this.#drawEmpty(scene);
    const { point } = this.#pointer;
    if (point === undefined || this.#typing !== undefined) return;
    const gap = gapNear(scene.marks, scene.setup.origin, point);
    if (gap === undefined) return;
    const { line, place, list } = gap;
    const [x, y] = [line.left + line.width / 2, line.top + line.height / 2];
    this.#overlay.plus(addLabel(scene.setup, list), x, y, false, () => this.#send({ kind: 'insert', place }));
  }

  #drawLater(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const scene = this.#scene;
    if (scene === undefined) return;
    this.#drawHover(scene);
    // The handle that is held must stay.
    if (!this.#drags.isOn) this.#drawSelection(scene);
  }

  #drawHover(scene: Scene): void {
    this.#overlay.clear('hover');
    const { point } = this.#pointer;
    if (point === undefined) this.#hovered = undefined;
    if (point === undefined || this.#drags.isOn || this.#typing !== undefined) return;
    const element = document.elementFromPoint(point.x, point.y);
    // Over its own tag a block stays the hovered one.
    if (element !== this.#overlay.host)
      this.#hovered = element === null || !this.#hasBlocks ? undefined : blockAround(scene.marks, element);
    if (this.#hovered === undefined && element !== null) this.#drawHoveredRegion(scene, element, point);
    if (this.#hovered === undefined || findChosen(scene).includes(this.#hovered)) return;
    const shape = findShape(scene, this.#hovered);
    if (shape === undefined) return;
    this.#overlay.box('hover', 'hover', shape.box, shape.tone);
    this.#overlay.tag('hover', shape.name, shape.box, shape.tone);
  }

  #drawHoveredRegion({ setup }: Scene, element: Element, point: Point): void {
    const region = this.#regionAt(element, point);
    if (region === undefined) return;
    const boxes = findRegionBoxes(this.#regions ?? [], region);
    for (const box of boxes) this.#overlay.box('hover', 'hover', box, 'teal');
    const [first] = boxes;
    if (first !== undefined) this.#overlay.tag('hover', setup.regions[region] ?? region, first, 'teal');
  }

  #drawSelection(scene: Scene): void {
    this.#overlay.clear('select');
    this.#overlay.clear('plus');
    const chosen = findChosen(scene);
    for (const block of chosen) {
      const shape = findShape(scene, block);
      if (shape === undefined) continue;
      const { box, tone, name } = shape;
      this.#overlay.box('select', 'box', box, tone);
      if (block !== chosen.at(-1)) continue;
      const field = findFieldBox(block, scene);
      if (field !== undefined) this.#overlay.box('select', 'field', field, tone);
      // What is inside of a global block does not move by itself.
      const actions = scene.selection?.inner === undefined ? this.#tagActions(scene) : undefined;
      if (this.#typing === undefined) this.#overlay.tag('select', name, box, tone, actions);
    }
    this.#drawEmpty(scene);
  }

  #tagActions({ setup: { texts } }: Scene): TagActions {
    return {
      move: texts.move,
      more: texts.more,
      onGrab: (event) => this.#drags.grab(event),
      onMore: (event) => this.#send({ kind: 'menu', x: event.clientX, y: event.clientY }),
    };
  }

  #drawEmpty(scene: Scene): void {
    for (const { label, left, top, place } of addButtons(scene))
      this.#overlay.plus(label, left, top, true, () => this.#send({ kind: 'insert', place }));
  }
}
