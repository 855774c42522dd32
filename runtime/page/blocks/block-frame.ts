import type { BlockTypeParams, PreparedBlock } from '../../engine/block-source.ts';
import { type FileValue, isFileValue } from '../../files/file-value.ts';
import { Mark } from '../../marks/mark.ts';
import type { BlockPlace } from '../../marks/place.ts';
import { SafeString } from '../../values/safe.ts';

/** What the marks of a preview need to know of the block whose template runs. */
export interface BlockFrame {
  readonly place: BlockPlace;
  readonly type: BlockTypeParams;
  /** The parameters that are texts. */
  readonly texts: readonly MarkedParameter[];
  /** Those that are images; undefined if there are none. */
  readonly images: readonly MarkedImage[] | undefined;
}

interface MarkedParameter {
  /** Position in the values of the block. */
  readonly index: number;
  readonly mark: Mark;
}

interface MarkedImage extends MarkedParameter {
  readonly file: FileValue;
}

/** Frames by `about` of their blocks, which is the same in all renders of a stored tree. */
const kept = new WeakMap<object, BlockFrame>();

export function createBlockFrame(place: BlockPlace, block: PreparedBlock): BlockFrame {
  const { about, type } = block;
  const known = kept.get(about);
  if (known?.place === place && known.type === type) return known;
  const made = { place, type, texts: textsOf(place, block), images: imagesOf(place, block) };
  // Files are looked up by every render.
  if (!type.marks.includes('image')) kept.set(about, made);
  return made;
}

function textsOf(place: BlockPlace, { type, values }: PreparedBlock): MarkedParameter[] {
  const texts: MarkedParameter[] = [];
  for (const [index, name] of type.params.entries()) {
    const value = values[index];
    const isText = value instanceof SafeString || (typeof value === 'string' && value !== '');
    if (type.marks[index] === 'text' && isText)
      texts.push({ index, mark: new Mark('value', place.field(name), value) });
  }
  return texts;
}

function imagesOf(place: BlockPlace, { type, values }: PreparedBlock): MarkedImage[] | undefined {
  if (!type.marks.includes('image')) return undefined;
  const images: MarkedImage[] = [];
  for (const [index, name] of type.params.entries()) {
    const file = values[index];
    if (type.marks[index] === 'image' && isFileValue(file))
      images.push({ index, file, mark: new Mark('image', place.field(name)) });
  }
  return images;
}
