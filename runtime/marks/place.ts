import { escapeHtml } from '../values/escape.ts';
import { Mark } from './mark.ts';

/** How many places are kept. A page has some dozens. */
const maxPlaces = 5_000;

/** Places by origin, and how many there are below them. */
const origins = new Map<string, BlockPlace>();
let kept = 0;

/**
 * The place of a block or slot in the marks of previews: a path such as `page.blocks/0/slots/left/1`. Previews share
 * them, and what marks say of a place, because the same places come again in every preview.
 */
export class BlockPlace {
  readonly path: string;
  /** The comments around a slot at this place. */
  readonly slotOpen: Mark;
  readonly slotClose: Mark;
  #opening: KeptMark | undefined = undefined;
  #closing: KeptMark | undefined = undefined;
  readonly #blocks: BlockPlace[] = [];
  readonly #slots = new Map<string, BlockPlace>();
  readonly #fields = new Map<string, string>();

  private constructor(path: string) {
    kept += 1;
    this.path = path;
    this.slotOpen = commentMark(`<!--ic-slot:${path}-->`);
    this.slotClose = commentMark(`<!--/ic-slot:${path}-->`);
  }

  /** The place of a tree. @param origin beginning of its paths */
  static of(origin: string): BlockPlace {
    const known = origins.get(origin);
    if (known !== undefined) return known;
    // Renders that are under way keep their own.
    if (kept >= maxPlaces) {
      origins.clear();
      kept = 0;
    }
    const place = new BlockPlace(origin);
    origins.set(origin, place);
    return place;
  }

  /** The place of a block in the list at this place. */
  block(index: number): BlockPlace {
    this.#blocks[index] ??= new BlockPlace(`${this.path}/${index}`);
    return this.#blocks[index];
  }

  /** The place of a slot of the block at this place. */
  slot(name: string): BlockPlace {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const place = new BlockPlace(`${this.path}/slots/${nameInComment(name)}`);
    this.#slots.set(name, place);
    return place;
  }

  /** The mark before a block at this place. @param before comments that stand before it */
  opening(block: unknown, before: string): Mark {
    const { id, type, global } = Object(block);
    const known = this.#opening;
    if (
      known !== undefined &&
      known.id === id &&
      known.type === type &&
      known.global === global &&
      known.beside === before
    )
      return known.mark;
    const isGlobal = global !== undefined && global !== null;
    const what = isGlobal ? `global:${nameInComment(global)}` : nameInComment(type);
    const mark = commentMark(`${before}<!--ic-block:${this.path}:${nameInComment(id)}:${what}-->`);
    if (isShort(id) && isShort(type) && isShort(global))
      this.#opening = { id, type, global, beside: before, mark };
    return mark;
  }

  /** The mark behind a block at this place. @param after comments that stand behind it */
  closing(block: unknown, after: string): Mark {
    const { id } = Object(block);
    const known = this.#closing;
    if (known !== undefined && known.id === id && known.beside === after) return known.mark;
    const mark = commentMark(`<!--/ic-block:${nameInComment(id)}-->${after}`);
    if (isShort(id)) this.#closing = { id, type: undefined, global: undefined, beside: after, mark };
    return mark;
  }

  /** The attribute for a parameter of the block at this place. */
  field(name: string): string {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const attribute = inOnePiece(`data-ic-field="${escapeHtml(`${this.path}/${name}`)}"`);
    this.#fields.set(name, attribute);
    return attribute;
  }
}

/** The mark of the block that was last at a place, with what it was made from. */
interface KeptMark {
  readonly id: unknown;
  readonly type: unknown;
  readonly global: unknown;
  /** The comments that it has beside those of the block. */
  readonly beside: string;
  readonly mark: Mark;
}

/** Names of previews are not checked: large ones are not kept. */
function isShort(name: unknown): boolean {
  return typeof name === 'string' ? name.length <= 100 : typeof name !== 'object';
}

function commentMark(html: string): Mark {
  return new Mark('comment', inOnePiece(html));
}

/** A name from a tree as part of a comment: trees of previews are not checked. */
function nameInComment(value: unknown): string {
  const text = String(value ?? '');
  if (/^[A-Za-z0-9_./-]*$/.test(text)) return text;
  return text.replace(/[^A-Za-z0-9_./-]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** A copy: V8 keeps a text that was put together as its parts, and walks over them wherever it is inserted. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
