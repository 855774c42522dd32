/**
 * The names of stored media. A key is made here and nowhere else, and a name from outside (of an upload, of an
 * address, of a file found in a folder) becomes a key only if this file accepts it.
 *
 * A key is `<2 hex>/<32 hex>/<name>`: the 32 digits (`ContentId`) stand for one content of one file, the two at
 * the front spread the folders. So no part of a key comes from a user, no two contents share a folder, and a
 * content is never changed in place: a replaced file gets a new content.
 */
import { randomBytes } from 'node:crypto';

declare const keyBrand: unique symbol;
declare const contentBrand: unique symbol;

/** Where one object lies: a relative path with `/`, at most 140 characters of `a-z 0-9 . _ - /`. */
export type MediaKey = string & { readonly [keyBrand]: true };

/** One content of a file, with all of its variants: 32 hexadecimal digits. */
export type ContentId = string & { readonly [contentBrand]: true };

/** A content ID that was never used: 128 random bits. */
export function newContentId(): ContentId {
  // Type boundary: 16 bytes are 32 digits.
  return randomBytes(16).toString('hex') as ContentId;
}

export function isContentId(text: string): text is ContentId {
  return /^[0-9a-f]{32}$/.test(text);
}

/**
 * The key of an object of a content.
 *
 * @param name `original.jpg`, `w640.webp`, ...: lower case letters, digits, `.`, `_`, `-`, at most 100
 * @throws TypeError for any other name
 */
export function mediaKey(content: ContentId, name: string): MediaKey {
  const key = `${content.slice(0, 2)}/${content}/${name}`;
  if (!isMediaKey(key)) throw new TypeError(`${JSON.stringify(name)} is no name of a media object`);
  return key;
}

/** Whether a text is a key, for names that a storage lists. */
export function isMediaKey(text: string): text is MediaKey {
  const [, prefix, content] = keyPattern.exec(text) ?? [];
  return content?.startsWith(prefix ?? '/') === true;
}

/** The content that an object belongs to. */
export function getContentId(key: MediaKey): ContentId {
  // Type boundary: the pattern of a key.
  return key.slice(3, 35) as ContentId;
}

/** A name begins with a letter or digit, so it is never `.` or `..`. */
const keyPattern = /^([0-9a-f]{2})\/([0-9a-f]{32})\/[a-z0-9][a-z0-9._-]{0,99}$/;
