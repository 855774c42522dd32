import { findOrigin } from '../../blocks/origins.ts';
import type { BlockMarker, PreparedBlock } from '../../engine/block-source.ts';
import type { FileValue } from '../../files/file-value.ts';
import { Mark } from '../../marks/mark.ts';
import { MarkTexts } from '../../marks/mark-text.ts';
import { BlockPlace } from '../../marks/place.ts';
import { SafeString } from '../../values/safe.ts';
import { type BlockFrame, createBlockFrame } from './block-frame.ts';
import { type FinishedHtml, finishMarks } from './finish-marks.ts';

/**
 * The marks of one preview (Core, "Rendering of blocks"). While templates run they are invisible characters;
 * `finish` puts comments and attributes in their places.
 */
export class PreviewMarks implements BlockMarker {
  readonly #texts = new MarkTexts();
  readonly #marks: Mark[] = [];
  readonly #frames: BlockFrame[] = [];
  readonly #pageTree: unknown;

  /** @param pageTree the tree of the page itself */
  constructor(pageTree: unknown) {
    this.#pageTree = pageTree;
  }

  placeOf(tree: unknown): BlockPlace {
    return BlockPlace.of(tree === this.#pageTree ? 'page.blocks' : (findOrigin(tree) ?? 'blocks'));
  }

  list({ path }: BlockPlace, output: string): string {
    return this.#comment(`<!--ic-blocks:${path}-->`) + output + this.#comment(`<!--/ic-blocks:${path}-->`);
  }

  blockOpen(place: BlockPlace, block: unknown, before: string): string {
    return this.#structure(place.opening(block, before));
  }

  blockClose(place: BlockPlace, block: unknown, after: string): string {
    return this.#structure(place.closing(block, after));
  }

  slotOpen({ slotOpen }: BlockPlace): string {
    return this.#structure(slotOpen);
  }

  slotClose({ slotClose }: BlockPlace): string {
    return this.#structure(slotClose);
  }

  entered(place: BlockPlace, block: PreparedBlock): readonly unknown[] {
    const { values } = block;
    const frame = createBlockFrame(place, block);
    this.#frames.push(frame);
    const { texts, images } = frame;
    if (texts.length === 0 && images === undefined) return values;
    const marked = values.slice();
    for (const { index, mark } of texts) marked[index] = this.#markedText(mark);
    for (const { index, mark, file } of images ?? []) marked[index] = withUrl(file, this.#field(mark));
    return marked;
  }

  left(): void {
    this.#frames.pop();
  }

  /** `block_field(name)`: the attribute for a parameter of the block whose template runs; empty elsewhere. */
  attribute(name: string): string {
    const frame = this.#frames.at(-1);
    if (frame === undefined || !frame.type.params.includes(name)) return '';
    return this.#structure(new Mark('attribute', frame.place.field(name)));
  }

  /** An image with a mark in its address if it is a parameter of the block whose template runs. */
  image(file: FileValue): FileValue {
    const frame = this.#frames.at(-1);
    const shown = frame?.images?.find((image) => image.file.id === file.id);
    return shown === undefined ? file : withUrl(file, this.#field(shown.mark));
  }

  /** Before or behind what a region shows. */
  region(name: string, isOpening: boolean): string {
    if (!isOpening) return this.#comment(`<!--/ic-region:${name}-->`);
    return this.#structure(new Mark('region', `<!--ic-region:${name}-->`, name));
  }

  /** The output with comments and attributes in the places of the marks. */
  finish(html: string): FinishedHtml {
    return finishMarks(html, this.#marks, this.#texts);
  }

  #comment(html: string): string {
    return this.#structure(new Mark('comment', html));
  }

  #structure(mark: Mark): string {
    return this.#texts.of('structure', this.#marks.push(mark) - 1);
  }

  #field(mark: Mark): string {
    return this.#texts.of('field', this.#marks.push(mark) - 1);
  }

  #markedText(mark: Mark): unknown {
    const { value } = mark;
    const text = this.#field(mark);
    return typeof value === 'string' ? text + value : new SafeString(text + value.value);
  }
}

function withUrl(file: FileValue, mark: string): FileValue {
  return Object.assign(Object.create(null), file, { url: mark + file.url });
}
