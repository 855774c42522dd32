import { LRUCache } from 'lru-cache';
import type { FileRecord } from '../content/reader.ts';
import type { Signature } from './addresses.ts';
import { computeFileAddresses, type FileAddresses } from './file-object.ts';

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

/**
 * The values of files that were shown last, without signatures, because many pages show the same images. The record of
 * a file that has changed is another object.
 */
const lastShown = new LRUCache<FileRecord, FileValue>({ max: 200 });

/** @param signature opens a private file; empty on live pages */
export function fileValue(file: FileRecord, signature: Signature): FileValue {
  if (signature !== '') return shownAs(file, signature);
  const known = lastShown.get(file) ?? shownAs(file, signature);
  lastShown.set(file, known);
  return known;
}

function shownAs(file: FileRecord, signature: Signature): FileValue {
  const { id, name, mime, kind, size, width, height, alt, focus_x, focus_y, placeholder, updated_at } = file;
  const value: FileValue = Object.assign(Object.create(null), {
    id,
    name,
    ...computeFileAddresses(file, signature),
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
  return Object.freeze(value);
}

export function isFileValue(value: unknown): value is FileValue {
  return typeof value === 'object' && value !== null && 'url' in value && 'id' in value;
}
