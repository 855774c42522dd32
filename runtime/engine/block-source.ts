/** What the engine asks of its caller to render block trees, and what it tells. */
import type { BlockPlace } from '../marks/place.ts';

/** The parameters of a block type. One object for each type, as long as the type stays the same. */
export interface BlockTypeParams {
  /** Name of the snippet. */
  readonly name: string;
  readonly params: readonly string[];
  /** How previews mark the parameters, by position; undefined = not. */
  readonly marks: readonly ('text' | 'image' | undefined)[];
}

/** A block of a type, ready to be rendered. */
export interface PreparedBlock {
  readonly kind: 'block';
  readonly type: BlockTypeParams;
  /** Values in the order of the parameters of the type; undefined for a missing one. */
  readonly values: readonly unknown[];
  /** The variable `block`. */
  readonly about: { readonly id: unknown; readonly type: string };
  /** Lists of blocks by slot. */
  readonly slots: readonly (readonly [name: string, list: unknown])[];
}

/** A place where another tree is inserted. */
export interface PreparedReference {
  readonly kind: 'global';
  readonly id: number;
  readonly tree: readonly unknown[];
}

/** What a render knows of the blocks in trees. */
export interface BlockSource {
  /** A string is output in place of the block. */
  prepare(block: unknown): PreparedBlock | PreparedReference | string;
  /** Called when the tree of a reference begins; `left` when it ends. */
  entered(reference: PreparedReference): void;
  left(reference: PreparedReference): void;
  /** Set in previews. */
  readonly marks: BlockMarker | undefined;
}

/** Marks in the output of a preview (Core, "Rendering of blocks"). */
export interface BlockMarker {
  /** The place of a tree, such as `page.blocks`. */
  placeOf(tree: unknown): BlockPlace;
  list(place: BlockPlace, output: string): string;
  /** Before a block. @param before comments that stand before it */
  blockOpen(place: BlockPlace, block: unknown, before: string): string;
  /** Behind the last block of a list. @param after comments that stand behind it */
  blockClose(place: BlockPlace, block: unknown, after: string): string;
  slotOpen(place: BlockPlace): string;
  slotClose(place: BlockPlace): string;
  /** Called when the template of a block begins, with its values; returns the values that it gets. */
  entered(place: BlockPlace, block: PreparedBlock): readonly unknown[];
  left(): void;
}
