import { isAscii, normalized } from './normalize.ts';

/** The text as part of an address: small ASCII letters, digits and underscores, with dashes for spaces. */
export function slugify(text: string): string {
  const lower = text.toLowerCase();
  if (plainWords.test(lower)) return lower.replaceAll(' ', '-');
  return slugOf(isAscii(lower) ? lower : normalized(text, 'NFKD').toLowerCase());
}

/** Most names and titles: words of ASCII with one space or dash between them. */
const plainWords = /^[a-z0-9]+(?:[ -][a-z0-9]+)*$/;

/** Joins the words; what is neither letter, digit, underscore, space nor dash is left out. */
function slugOf(lower: string): string {
  let out = '';
  let hasDash = false;
  let start = -1;
  for (let index = 0; index < lower.length; index += 1) {
    const code = lower.charCodeAt(index);
    if (isWord(code)) {
      if (start === -1) start = index;
      continue;
    }
    if (start !== -1) {
      out += hasDash && out !== '' ? `-${lower.slice(start, index)}` : lower.slice(start, index);
      hasDash = false;
      start = -1;
    }
    if (isSeparator(code)) hasDash = true;
  }
  if (start !== -1) out += hasDash && out !== '' ? `-${lower.slice(start)}` : lower.slice(start);
  const isBare = !out.startsWith('_') && !out.endsWith('_');
  return isBare ? out : out.replace(/^[-_]+/, '').replace(trailingDashes, '');
}

// Without the lookbehind, the search in a long run of dashes would start again at each of its characters.
const trailingDashes = /(?<![-_])[-_]+$/;

function isSeparator(code: number): boolean {
  return code === 0x20 || code === 0x2d || (code >= 0x09 && code <= 0x0d);
}

function isWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}
