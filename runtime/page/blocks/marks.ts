import { originOf } from '../../blocks/origins.ts';
import type { BlockMarker, PreparedBlock } from '../../engine/block-source.ts';
import type { FileValue } from '../../files/file-value.ts';
import { MarkTexts } from '../../marks/mark-text.ts';
import { BlockPlace, nameInComment } from '../../marks/place.ts';
import { SafeString } from '../../values/safe.ts';
import { finishMarks } from './finish-marks.ts';
import type { Mark } from './mark.ts';

/** The block whose template runs. */
interface Frame {
  readonly place: BlockPlace;
  readonly params: readonly string[];
  /** Parameters by the ID of their image. */
  readonly images: ReadonlyMap<unknown, string> | undefined;
}

/**
 * The marks of one preview (Core, "Rendering of blocks"). While templates run they are invisible characters;
 * `finish` puts comments and attributes in their places.
 */
export class PreviewMarks implements BlockMarker {
  readonly #texts = new MarkTexts();
  readonly #marks: Mark[] = [];
  readonly #frames: Frame[] = [];
  readonly #pageTree: unknown;

  /** @param pageTree the tree of the page itself */
  constructor(pageTree: unknown) {
    this.#pageTree = pageTree;
  }

  placeOf(tree: unknown): BlockPlace {
    return BlockPlace.of(tree === this.#pageTree ? 'page.blocks' : (originOf(tree) ?? 'blocks'));
  }

  list({ path }: BlockPlace, output: string): string {
    return this.#comment(`<!--ic-blocks:${path}-->`) + output + this.#comment(`<!--/ic-blocks:${path}-->`);
  }

  /** One mark for both comments between two blocks. */
  blockOpen(
    { blockOpen }: BlockPlace,
    block: unknown,
    before: { readonly block: unknown } | undefined,
  ): string {
    const { id, type, global } = Object(block);
    const isGlobal = global !== undefined && global !== null;
    const what = isGlobal ? `global:${nameInComment(global)}` : nameInComment(type);
    const open = `${blockOpen}${nameInComment(id)}:${what}-->`;
    return this.#comment(before === undefined ? open : endOf(before.block) + open);
  }

  blockClose(block: unknown): string {
    return this.#comment(endOf(block));
  }

  slotOpen({ slotOpen }: BlockPlace): string {
    return this.#comment(slotOpen);
  }

  slotClose({ slotClose }: BlockPlace): string {
    return this.#comment(slotClose);
  }

  entered(place: BlockPlace, { type: { params, marks }, values }: PreparedBlock): readonly unknown[] {
    let images: Map<unknown, string> | undefined;
    const marked = [...values];
    for (const [index, kind] of marks.entries()) {
      const name = params[index] ?? '';
      const value = values[index];
      if (kind === 'text') marked[index] = this.#markedText(value, place, name);
      if (kind !== 'image' || !isFile(value)) continue;
      images ??= new Map();
      if (!images.has(value.id)) images.set(value.id, name);
      marked[index] = withUrl(value, this.#imageMark(place.field(name)));
    }
    this.#frames.push({ place, params, images });
    return marked;
  }

  left(): void {
    this.#frames.pop();
  }

  /** `block_field(name)`: the attribute for a parameter of the block whose template runs; empty elsewhere. */
  attribute(name: string): string {
    const frame = this.#frames.at(-1);
    if (frame === undefined || !frame.params.includes(name)) return '';
    return this.#structure({ kind: 'attribute', field: frame.place.field(name) });
  }

  /** An image with a mark in its address if it is a parameter of the block whose template runs. */
  image(file: FileValue): FileValue {
    const frame = this.#frames.at(-1);
    const name = frame?.images?.get(file.id);
    if (frame === undefined || name === undefined) return file;
    return withUrl(file, this.#imageMark(frame.place.field(name)));
  }

  /** The output with comments and attributes in the places of the marks. */
  finish(html: string): string {
    return finishMarks(html, this.#marks, this.#texts);
  }

  #comment(html: string): string {
    return this.#structure({ kind: 'comment', html });
  }

  #structure(mark: Mark): string {
    return this.#texts.of('structure', this.#marks.push(mark) - 1);
  }

  #imageMark(field: string): string {
    return this.#texts.of('field', this.#marks.push({ kind: 'image', field }) - 1);
  }

  #markedText(value: unknown, place: BlockPlace, name: string): unknown {
    if (value instanceof SafeString)
      return new SafeString(this.#valueMark(place.field(name), value) + value.value);
    return typeof value !== 'string' || value === ''
      ? value
      : this.#valueMark(place.field(name), value) + value;
  }

  #valueMark(field: string, value: string | SafeString): string {
    return this.#texts.of('field', this.#marks.push({ kind: 'value', field, value }) - 1);
  }
}

/** The comment behind a block. */
function endOf(block: unknown): string {
  return `<!--/ic-block:${nameInComment(Object(block).id)}-->`;
}

function isFile(value: unknown): value is FileValue {
  return typeof value === 'object' && value !== null && 'url' in value && 'id' in value;
}

function withUrl(file: FileValue, mark: string): FileValue {
  return Object.assign(Object.create(null), file, { url: mark + file.url });
}
