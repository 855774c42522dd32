/** The content of a component's slots, and how templates read it. */
import type { CompiledFunction } from '../../compiler/index.ts';
import { structureMark } from '../marks/mark-text.ts';
import type { BlockPlace } from '../marks/place.ts';
import type { BlockMarker } from './block-source.ts';
import { get } from './lookup.ts';
import type { RenderState } from './state.ts';

/**
 * The content of a component's slots. It is rendered at its first use, in the scope where it was written. The
 * class has no methods, because templates can reach its objects and could see the methods.
 */
export class Slots {
  readonly #fills: readonly Fill[];
  readonly #mark: SlotsMark | undefined;

  /**
   * @param fills at most one for each slot
   * @param mark how the slots of a block are marked in a preview
   */
  constructor(fills: readonly Fill[], mark?: SlotsMark) {
    this.#fills = fills;
    this.#mark = mark;
  }

  static markOf(slots: Slots): SlotsMark | undefined {
    return slots.#mark;
  }

  /** The marks in content that is blank otherwise. */
  static marksIn(slots: Slots, name: string): string {
    return slots.#fills.find((fill) => fill.name === name)?.marks ?? '';
  }

  /** Whether the content has the marks of its slot itself. */
  static isMarked(slots: Slots, name: string): boolean {
    return slots.#fills.some((fill) => fill.name === name && fill.isMarked);
  }

  /** The content, or the empty text if there is nothing but white space. */
  static content(slots: Slots, name: string): string | Promise<string> {
    const fills = slots.#fills;
    for (let index = 0; index < fills.length; index += 1) {
      const fill = fills[index];
      if (fill?.name === name) return fill.rendered ?? renderedOf(fill);
    }
    return '';
  }
}

/** How the slots of a block are marked in a preview. */
interface SlotsMark {
  readonly marks: Pick<BlockMarker, 'slotOpen' | 'slotClose'>;
  /** Place of the block. */
  readonly place: BlockPlace;
}

/** The content of one slot. Components have few, so a list of them is quicker than a map. */
export class Fill {
  readonly name: string;
  readonly content: CompiledFunction;
  /** Whether the content is known to be more than white space. The code of the content may find it out. */
  isShown: boolean;
  /** Whether the content has the marks of its slot itself, as blocks may. */
  isMarked = false;
  rendered: string | Promise<string> | undefined = undefined;
  /** The marks in content that is blank otherwise; empty if there are none. */
  marks = '';

  constructor(name: string, content: CompiledFunction, isShown: boolean) {
    this.name = name;
    this.content = content;
    this.isShown = isShown;
  }
}

function renderedOf(fill: Fill): string | Promise<string> {
  const made = fill.content(fill);
  fill.rendered = typeof made === 'string' ? shownIn(fill, made) : made.then((text) => shownIn(fill, text));
  return fill.rendered;
}

/** The content of a slot that is written before the component; the empty text if there is only white space. */
export function unlessBlank(text: string): string {
  return isBlank(text) ? '' : text;
}

/** The content of a slot from a list: a text, or a function that is called when the content is needed. */
export function givenContent(given: string | (() => string | Promise<string>)): string | Promise<string> {
  return typeof given === 'string' ? given : given();
}

/** Content that is known to be visible is not read: that would make one flat text of its many parts. */
function shownIn(fill: Fill, text: string): string {
  if (fill.isShown || !isBlank(text)) return text;
  fill.marks = text.replace(/\s+/g, '');
  return '';
}

/** Most content begins with a visible character of ASCII. */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && blank.test(text);
}

/** White space, and the marks of blocks in previews. Stops at the first other character. */
const blank = new RegExp(`^(?:\\s|${structureMark})*$`);

/**
 * The content of a slot, with its marks in a preview.
 *
 * @param hasFallback whether the tag shows something else if there is no content: then the result is empty
 */
export function slotContent(
  state: RenderState,
  slots: unknown,
  name: string,
  hasFallback?: boolean,
): string | Promise<string> {
  if (!(slots instanceof Slots)) return '';
  state.enter(null);
  const content = Slots.content(slots, name);
  state.leave();
  const mark = Slots.markOf(slots);
  if (mark === undefined) return content;
  return typeof content === 'string'
    ? markedContent(slots, name, content, hasFallback)
    : content.then((text) => markedContent(slots, name, text, hasFallback));
}

function markedContent(slots: Slots, name: string, content: string, hasFallback?: boolean): string {
  if (content === '' && hasFallback === true) return '';
  if (content !== '' && Slots.isMarked(slots, name)) return content;
  return slotMark(slots, name, true) + content + slotMark(slots, name, false);
}

/** The mark at the beginning or end of a slot that shows its fallback; nothing on live pages. */
export function slotMark(slots: unknown, name: string, isBegin: boolean): string {
  const mark = slots instanceof Slots ? Slots.markOf(slots) : undefined;
  if (!(slots instanceof Slots) || mark === undefined) return '';
  const { marks, place } = mark;
  const at = place.slot(name);
  return isBegin ? marks.slotOpen(at) + Slots.marksIn(slots, name) : marks.slotClose(at);
}

/** `slots.name`: whether the slot has content. If another variable has the name `slots`: its field. */
export function slotOrField(slots: unknown, name: string): unknown {
  if (!(slots instanceof Slots)) return get(slots, name);
  const content = Slots.content(slots, name);
  return typeof content === 'string' ? content !== '' : content.then((text) => text !== '');
}
