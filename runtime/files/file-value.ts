import type { FileRecord } from '../content/reader.ts';
import type { Signature } from './addresses.ts';
import { addressesOf, type FileAddresses } from './file-object.ts';

/** A file as templates see it. Plain data without a prototype. */
export interface FileValue
  extends FileAddresses,
    Pick<
      FileRecord,
      | 'id'
      | 'name'
      | 'mime'
      | 'kind'
      | 'size'
      | 'width'
      | 'height'
      | 'alt'
      | 'private'
      | 'focus_x'
      | 'focus_y'
      | 'placeholder'
      | 'updated_at'
    > {}

/** @param signature opens a private file; empty on live pages */
export function fileValue(file: FileRecord, signature: Signature): FileValue {
  const { id, name, mime, kind, size, width, height, alt, focus_x, focus_y, placeholder, updated_at } = file;
  return Object.assign(Object.create(null), {
    id,
    name,
    ...addressesOf(file, signature),
    mime,
    kind,
    size,
    width,
    height,
    alt,
    private: file.private,
    focus_x,
    focus_y,
    placeholder,
    updated_at,
  });
}
