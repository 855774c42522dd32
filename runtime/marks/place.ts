import { escapeHtml } from '../values/escape.ts';

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
  /** The beginning of the comment before a block at this place; its ID and type follow. */
  readonly blockOpen: string;
  /** The comments around a slot at this place. */
  readonly slotOpen: string;
  readonly slotClose: string;
  readonly #blocks: BlockPlace[] = [];
  readonly #slots = new Map<string, BlockPlace>();
  readonly #fields = new Map<string, string>();

  private constructor(path: string) {
    kept += 1;
    this.path = path;
    this.blockOpen = inOnePiece(`<!--ic-block:${path}:`);
    this.slotOpen = inOnePiece(`<!--ic-slot:${path}-->`);
    this.slotClose = inOnePiece(`<!--/ic-slot:${path}-->`);
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

  /** The attribute for a parameter of the block at this place. */
  field(name: string): string {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const attribute = inOnePiece(`data-ic-field="${escapeHtml(`${this.path}/${name}`)}"`);
    this.#fields.set(name, attribute);
    return attribute;
  }
}

/** A name from a tree as part of a comment: trees of previews are not checked. */
export function nameInComment(value: unknown): string {
  const text = String(value ?? '');
  if (/^[A-Za-z0-9_./-]*$/.test(text)) return text;
  return text.replace(/[^A-Za-z0-9_./-]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** A copy: V8 keeps a text that was put together as its parts, and walks over them wherever it is inserted. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
