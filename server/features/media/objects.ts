/** The objects that belong to one content in the media storage: the original, its variants, its crops. */

import { hasFormat, listVariantWidths, variantWidths } from '../../../runtime/files/addresses.ts';
import type { RasterFormat } from '../../../runtime/images/messages.ts';
import { type ContentId, isContentId, type MediaKey, mediaKey } from '../../storage/media-key.ts';
import type { StoredFile } from './model.ts';

/** The fields of a file that name its objects. */
export type FileObjects = Pick<
  StoredFile,
  'path' | 'content' | 'format' | 'width' | 'height' | 'avif' | 'variants' | 'private' | 'mime'
>;

/** A variant of an image: another width, another format, or both. */
export interface Variant {
  readonly format: RasterFormat;
  readonly width: number;
}

/** @throws TypeError if a row of the database holds no content ID, which nothing writes */
function contentIdOf({ content }: Pick<StoredFile, 'content'>): ContentId {
  if (!isContentId(content)) throw new TypeError(`${JSON.stringify(content)} is no content of a file`);
  return content;
}

export function originalKey(file: Pick<StoredFile, 'content'>): MediaKey {
  return mediaKey(contentIdOf(file), 'original');
}

export function variantKey(file: Pick<StoredFile, 'content'>, { format, width }: Variant): MediaKey {
  return mediaKey(contentIdOf(file), `w${width}.${format}`);
}

export function cropKey(file: Pick<StoredFile, 'content'>, name: string): MediaKey {
  return mediaKey(contentIdOf(file), name);
}

/** Name of a crop. It contains the focal point, so that a moved point never shows the part that was cut before. */
export function cropName(
  { format, focus_x, focus_y }: Pick<StoredFile, 'format' | 'focus_x' | 'focus_y'>,
  width: number,
  height: number,
): string {
  return `c${width}x${height}-${Math.round(focus_x * 1000)}-${Math.round(focus_y * 1000)}.${format}`;
}

/** The variants that a file has, or will have as soon as they are written. */
export function listVariants(file: FileObjects): readonly Variant[] {
  const { format, width } = file;
  if (format === '' || width === null) return [];
  const widths = listVariantWidths(file);
  return [
    ...widths.map((candidate) => ({ format, width: candidate })),
    ...(['webp', 'avif'] as const).flatMap((other) =>
      hasFormat(file, other)
        ? [...widths, width].map((candidate) => ({ format: other, width: candidate }))
        : [],
    ),
  ];
}

/** Every object that may exist for a content besides crops. */
export function listMediaKeys(file: FileObjects): readonly MediaKey[] {
  const variants = listVariants({ ...file, variants: file.format === '' ? 'none' : 'done' });
  return [originalKey(file), ...variants.map((variant) => variantKey(file, variant))];
}

/** The smallest width that is at least `wanted`, that of the image itself included. */
export function nearestWidth(file: FileObjects, wanted: number): number {
  return (
    variantWidths.find((width) => width >= wanted && listVariantWidths(file).includes(width)) ??
    file.width ??
    wanted
  );
}
