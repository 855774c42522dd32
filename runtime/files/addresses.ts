/** The addresses of a file and of its variants: widths, formats, names. */
import type { FileRecord } from '../content/reader.ts';

/** Variants have these widths in pixels, as far as they are below that of the image. */
export const variantWidths = [320, 640, 960, 1280, 1920, 2560] as const;

/** WebP cannot be wider or higher. */
const maxWebpSide = 16_383;

/** The fields of a file that its addresses depend on. */
export type AddressedFile = Pick<
  FileRecord,
  'path' | 'width' | 'height' | 'format' | 'avif' | 'variants' | 'private'
>;

/** Query parameters that open a private file; `?` or `&` is not part of them. */
export type Signature = string;

/** The address of the file itself. */
export function mediaUrl({ path }: Pick<FileRecord, 'path'>, signature: Signature = ''): string {
  return signature === '' ? `/media/${path}` : `/media/${path}?${signature}`;
}

/** Widths of the variants in the original format, smallest first. */
export function listVariantWidths({ width, format, variants }: AddressedFile): readonly number[] {
  if (width === null || format === '' || variants === 'none' || variants === 'failed') return [];
  return variantWidths.filter((candidate) => candidate < width);
}

/** Whether there are variants in another format, in all widths and in that of the image. */
export function hasFormat(file: AddressedFile, format: 'webp' | 'avif'): boolean {
  const { width, height, variants } = file;
  if (width === null || height === null || variants === 'none' || variants === 'failed') return false;
  if (file.format === '' || file.format === format) return false;
  if (format === 'avif') return file.avif;
  return Math.max(width, height) <= maxWebpSide;
}

/** `srcset` of an `<img>`: all widths with their addresses. Empty if the file is no image with pixels. */
export function formatSrcset(file: AddressedFile, signature: Signature = ''): string {
  if (file.width === null || file.format === '') return '';
  return listed(file, file.width, `/media/${file.path}`, signature);
}

/** `srcset` of a `<source>` in another format; empty if there are no such variants. */
export function formatSrcsetAs(
  file: AddressedFile,
  format: 'webp' | 'avif',
  signature: Signature = '',
): string {
  if (file.width === null || !hasFormat(file, format)) return '';
  if (format === 'webp' && hasWebpAddress(file))
    return listed(file, file.width, `/media/${file.path}.webp`, signature);
  return listed(file, file.width, `/media/${file.path}`, joined(`format=${format}`, signature));
}

/** Whether the path with `.webp` added is an address of its WebP version. */
export function hasWebpAddress({ format }: Pick<FileRecord, 'format'>): boolean {
  return format === 'jpeg' || format === 'png';
}

function listed(file: AddressedFile, ownWidth: number, address: string, parameters: string): string {
  const at = (query: string) => (query === '' ? address : `${address}?${query}`);
  const smaller = listVariantWidths(file).map((width) => `${at(joined(`w=${width}`, parameters))} ${width}w`);
  return [...smaller, `${at(parameters)} ${ownWidth}w`].join(', ');
}

function joined(...parameters: readonly string[]): string {
  return parameters.filter((parameter) => parameter !== '').join('&');
}
