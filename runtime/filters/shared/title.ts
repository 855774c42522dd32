import { isAscii } from './normalize.ts';

/** Django's `title`: a capital at the start of each word, also after most signs, but not after digits. */
export function titleCase(text: string): string {
  return isAscii(text) ? titleAscii(text) : titleOfAny(text);
}

// --- ASCII -----------------------------------------------------------------------------------------------

function titleAscii(text: string): string {
  const lower = text.toLowerCase();
  let out = '';
  let copied = 0;
  for (let index = 0; index < lower.length; index += 1) {
    const code = lower.charCodeAt(index);
    if (!isLetter(code) || !startsWord(lower, index)) continue;
    out += lower.slice(copied, index) + (capitals[code] ?? '');
    copied = index + 1;
  }
  return copied === 0 ? lower : out + lower.slice(copied);
}

const apostrophe = 0x27;

/** Whether the letter becomes a capital. In `it's` it does not, but in `o'neil` it does. */
function startsWord(lower: string, index: number): boolean {
  if (index === 0) return true;
  const before = lower.charCodeAt(index - 1);
  if (isLetter(before) || (before >= 0x30 && before <= 0x39)) return false;
  if (before !== apostrophe || index < 3) return true;
  return !isLetter(lower.charCodeAt(index - 2)) || !isLetter(lower.charCodeAt(index - 3));
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

const capitals = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code).toUpperCase());

// --- all texts -------------------------------------------------------------------------------------------

/** The same for all texts. */
export function titleOfAny(text: string): string {
  const capitalized = text.replace(/\p{Cased}+/gu, capitalizeRun);
  const joined = capitalized.includes("'") ? capitalized.replace(/[a-z]'[A-Z]/g, lowered) : capitalized;
  return joined.replace(/\p{Nd}[A-Z]/gu, lowered);
}

function lowered(match: string): string {
  return match.toLowerCase();
}

/** A run of letters, the first in title case. The whole run is lowered at once, for the final sigma. */
function capitalizeRun(run: string): string {
  const code = run.charCodeAt(0);
  if (isSimple(code)) return run.charAt(0).toUpperCase() + run.toLowerCase().slice(1);
  const [first = ''] = run;
  return titleOf(first) + run.toLowerCase().slice(first.toLowerCase().length);
}

/** Latin and Cyrillic letters of which both cases, and title case, are one unit. */
function isSimple(code: number): boolean {
  const isLatin = code < 0x1c4 && code !== 0xdf && code !== 0x130 && code !== 0x149;
  return isLatin || (code >= 0x400 && code < 0x530);
}

/** Title case of one character, which is `ǆ -> ǅ` for the digraphs and `ß -> Ss` for expanding letters. */
function titleOf(char: string): string {
  const single = titleLetters.get(char.toLowerCase());
  if (single !== undefined) return single;
  return char.toUpperCase().replace(/(?<=\p{Lu}).+$/su, (rest) => rest.toLowerCase());
}

/** All letters of Unicode that have a title case of their own, by their lower case. */
const titleLetters: ReadonlyMap<string, string> = new Map(
  Array.from('ǅǈǋǲᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ', (letter) => [letter.toLowerCase(), letter]),
);
