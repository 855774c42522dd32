/** Names of files as people and addresses know them. None of them is ever a path of the file system. */
import { randomBytes } from 'node:crypto';

/** Longest name of a file in characters. */
const maxNameLength = 200;

/** The name that people see: that of the upload, without folders and control characters. */
export function displayName(filename: string, extension: string): string {
  const name = filename
    .split(/[\\/]/)
    .at(-1)
    ?.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .toWellFormed();
  return name === undefined || name === '' ? `file.${extension}` : [...name].slice(0, maxNameLength).join('');
}

/**
 * Names for an address, best first: `summer-fair.jpg`, `summer-fair-2.jpg`, ..., then with random digits.
 *
 * The part before the extension has no dot, so `x.jpg.webp` is always the WebP version of `x.jpg` and never a file.
 */
export function* addressNames(filename: string, extension: string): Generator<string> {
  const base = addressBase(filename);
  yield `${base}.${extension}`;
  for (let number = 2; number < 10; number++) yield `${base}-${number}.${extension}`;
  for (;;) yield `${base}-${randomBytes(5).toString('hex')}.${extension}`;
}

const maxBaseLength = 80;

function addressBase(filename: string): string {
  const base = displayName(filename, '')
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replaceAll(/ä/g, 'ae')
    .replaceAll(/ö/g, 'oe')
    .replaceAll(/ü/g, 'ue')
    .replaceAll(/ß/g, 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, maxBaseLength)
    .replaceAll(/^-+|-+$/g, '');
  return base === '' ? 'file' : base;
}
