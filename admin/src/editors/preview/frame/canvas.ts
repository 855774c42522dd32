/** Editing of blocks in the page: what a pointer does there becomes messages, what the admin chooses is outlined. */
import type { EditMessage, FrameList, FromFrame, SelectMessage, ToFrame, TypeMessage } from '../messages.ts';
import { Drags } from './drags.ts';
import { emptyLine, gapNear, type Point } from './gaps.ts';
import {
  type BlockMark,
  blockAround,
  boxOf,
  chainOf,
  fieldAt,
  fieldElement,
  findMarks,
  isIn,
  type ListMark,
  listOf,
  type Marks,
  originOf,
  outerBlock,
  sameChain,
} from './marks.ts';
import { Overlay, type Tone } from './overlay.ts';
import { Typing } from './typing.ts';

/** The pointer rests so long before the plus appears, in milliseconds. */
const restMs = 200;
export class Canvas {
  readonly #send: (message: FromFrame) => void;
  readonly #overlay = new Overlay();
  #marks: Marks | undefined;
  #setup: EditMessage | undefined;
  #selection: SelectMessage | undefined;
  #hovered: BlockMark | undefined;
  /** The selection has to be brought into view, as soon as the page has it. */
  #isRevealWanted = false;
  #typing: Typing | undefined;
  readonly #drags: Drags;
  #point: Point | undefined;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (message: FromFrame) => void) {
    this.#send = send;
    this.#drags = new Drags(this.#overlay, send, {
      marks: () => this.#all(),
      origin: () => this.#setup?.origin ?? '',
      ids: () => this.#selection?.ids ?? [],
      onEnd: () => this.#drawLater(),
    });
    document.addEventListener('pointermove', (event) => this.#moved(event));
    document.addEventListener('pointerup', () => this.#drags.end(true));
    document.addEventListener('pointercancel', () => this.#drags.end(false));
    document.documentElement.addEventListener('pointerleave', () => this.#left());
    document.addEventListener('click', (event) => this.#clicked(event), true);
    document.addEventListener('contextmenu', (event) => this.#menu(event));
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#drags.end(false);
    });
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

  #select(message: SelectMessage): void {
    this.#selection = message;
    this.#overlay.clear('plus');
    this.#draw();
    this.#isRevealWanted = message.isShown;
    this.#reveal();
  }

  /** Scrolls to the selection, unless it fills the window anyway. */
  #reveal(): void {
    const last = this.#isRevealWanted ? this.#selectedBlocks().at(-1) : undefined;
    const box = last === undefined ? undefined : boxOf(last);
    if (box === undefined) return;
    this.#isRevealWanted = false;
    if (box.top >= 0 && box.bottom <= innerHeight) return;
    if (box.top < innerHeight - 80 && box.bottom > 80 && box.height > innerHeight) return;
    scrollBy({ top: box.top - Math.max(40, (innerHeight - box.height) / 2), behavior: 'instant' });
  }

  /** Marks of the chosen blocks; a block that is printed twice has two. */
  #selectedBlocks(): readonly BlockMark[] {
    const { ids = [], inner } = this.#selection ?? {};
    const { blocks } = this.#all();
    const own = ids.flatMap((id) =>
      blocks.filter((block) => block.id === id && originOf(block) === this.#setup?.origin),
    );
    if (inner === undefined) return own;
    return blocks.filter(
      (block) =>
        block.id === inner &&
        originOf(block).startsWith('global:') &&
        own.some((mark) => isIn(mark, block.start)),
    );
  }

  #moved(event: PointerEvent): void {
    this.#point = { x: event.clientX, y: event.clientY };
    clearTimeout(this.#rest);
    if (this.#drags.moveTo(this.#point) || this.#isOwn(event)) return;
    this.#rest = setTimeout(() => this.#offerPlus(), restMs);
    this.#drawLater();
  }

  #left(): void {
    clearTimeout(this.#rest);
    this.#point = undefined;
    this.#hovered = undefined;
    this.#drawLater();
  }

  #isOwn(event: Event): boolean {
    return event.target === this.#overlay.host;
  }

  #clicked(event: MouseEvent): void {
    if (this.#isOwn(event) || this.#setup === undefined || !(event.target instanceof Element)) return;
    if (this.#typing?.element.contains(event.target)) return;
    event.preventDefault();
    this.#point = { x: event.clientX, y: event.clientY };
    const block = blockAround(this.#all(), event.target);
    this.#send({
      kind: 'pick',
      blocks: chainOf(block),
      field: fieldAt(event.target, block),
      isMore: event.shiftKey || event.ctrlKey || event.metaKey,
    });
  }

  #menu(event: MouseEvent): void {
    if (this.#setup === undefined || this.#typing !== undefined) return;
    event.preventDefault();
    if (!this.#isOwn(event)) this.#clicked(event);
    this.#send({ kind: 'menu', x: event.clientX, y: event.clientY });
  }

  #type(message: TypeMessage): void {
    this.#typing?.end(false);
    const { field, blocks } = message.field;
    const block = this.#all().blocks.find((mark) => sameChain(chainOf(mark), blocks));
    if (block === undefined) return;
    const element = fieldElement(block, field);
    if (!(element instanceof HTMLElement)) return;
    this.#typing = new Typing(element, message, this.#point, this.#send, () => {
      this.#typing = undefined;
      this.#drawLater();
    });
    this.#draw();
  }

  #offerPlus(): void {
    this.#overlay.clear('plus');
    this.#drawEmpty();
    const { origin } = this.#setup ?? {};
    if (origin === undefined || this.#point === undefined || this.#typing !== undefined) return;
    const gap = gapNear(this.#all(), origin, this.#point);
    if (gap === undefined) return;
    const { line, place, list } = gap;
    this.#overlay.plus(
      this.#addText(list),
      line.left + line.width / 2,
      line.top + line.height / 2,
      false,
      () => this.#send({ kind: 'insert', place }),
    );
  }

  #addText(list: ListMark): string {
    const { texts, slots } = this.#setup ?? {};
    const owner = list.kind === 'slot' ? outerBlock(list) : undefined;
    const slot = listOf(list)?.slot ?? '';
    const name = owner === undefined ? texts?.page : (slots?.[`${owner.type}/${slot}`] ?? slot);
    return (texts?.add ?? '').replace('{{name}}', name ?? '');
  }

  #drawLater(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    if (this.#setup === undefined) return;
    this.#drawHover();
    // The handle that is held must stay.
    if (!this.#drags.isOn) this.#drawSelection();
  }

  #drawHover(): void {
    this.#overlay.clear('hover');
    if (this.#point === undefined || this.#drags.isOn || this.#typing !== undefined) return;
    const element = document.elementFromPoint(this.#point.x, this.#point.y);
    const isOwn = element === this.#overlay.host;
    if (!isOwn) this.#hovered = element === null ? undefined : blockAround(this.#all(), element);
    const box = this.#hovered === undefined ? undefined : boxOf(this.#hovered);
    if (this.#hovered === undefined || box === undefined) return;
    if (this.#selectedBlocks().includes(this.#hovered)) return;
    const tone = this.#toneOf(this.#hovered);
    this.#overlay.box('hover', 'hover', box, tone);
    this.#overlay.tag('hover', this.#nameOf(this.#hovered), box, tone);
  }

  #drawSelection(): void {
    this.#overlay.clear('select');
    this.#overlay.clear('plus');
    const chosen = this.#selectedBlocks();
    const { field, inner } = this.#selection ?? {};
    for (const [index, block] of chosen.entries()) {
      const box = boxOf(block);
      if (box === undefined) continue;
      const tone = this.#toneOf(block);
      this.#overlay.box('select', 'box', box, tone);
      if (index < chosen.length - 1) continue;
      const element = field === undefined ? undefined : fieldElement(block, field);
      if (element !== undefined) this.#overlay.box('select', 'field', element.getBoundingClientRect(), tone);
      if (this.#typing !== undefined) continue;
      const { move = '', more = '' } = this.#setup?.texts ?? {};
      const actions = {
        move,
        more,
        onGrab: (event: PointerEvent) => this.#drags.grab(event),
        onMore: (event: MouseEvent) => this.#send({ kind: 'menu', x: event.clientX, y: event.clientY }),
      };
      // What is inside of a global block does not move by itself.
      this.#overlay.tag('select', this.#nameOf(block), box, tone, inner === undefined ? actions : undefined);
    }
    this.#drawEmpty();
  }

  /** A button in the page if it is empty, and in each empty slot of the chosen block. */
  #drawEmpty(): void {
    const { origin, texts } = this.#setup ?? {};
    if (origin === undefined) return;
    const chosen = this.#selectedBlocks();
    const empty = this.#all().lists.filter((list) => {
      if (list.blocks.length > 0 || originOf(list) !== origin) return false;
      const owner = outerBlock(list);
      return list.kind === 'list' || (owner !== undefined && chosen.includes(owner));
    });
    let shift = 0;
    for (const list of empty) {
      const named: FrameList | undefined = listOf(list);
      if (named === undefined) continue;
      const line = emptyLine(list);
      const label = list.kind === 'list' ? (texts?.addFirst ?? '') : this.#addText(list);
      this.#overlay.plus(label, line.left + 4, line.top + shift, true, () =>
        this.#send({ kind: 'insert', place: { ...named, before: null } }),
      );
      shift += 28;
    }
  }

  #nameOf({ type }: BlockMark): string {
    return this.#setup?.names[type] ?? type;
  }

  #toneOf(block: BlockMark): Tone {
    const origin = originOf(block);
    if (origin.startsWith('global:') || block.type.startsWith('global:')) return 'plum';
    return origin === this.#setup?.origin ? 'teal' : 'slate';
  }
}
