/** Words and signs of other template languages, with what to write here. */
import type { Meanings } from './suggest.ts';

export const foreignTags: Meanings = new Map([
  ['elseif', 'elif'],
  ['elsif', 'elif'],
  ['elif:', 'elif'],
  ['otherwise', 'else'],
  ['default', 'else'],
  ['unless', 'if not'],
  ['switch', 'if'],
  ['case', 'elif'],
  ['when', 'elif'],
  ['foreach', 'for'],
  ['each', 'for'],
  ['while', 'for'],
  ['assign', 'set'],
  ['let', 'set'],
  ['var', 'set'],
  ['const', 'set'],
  ['define', 'macro'],
  ['function', 'macro'],
  ['from', 'import'],
  ['use', 'import'],
  ['raw', 'verbatim'],
  ['literal', 'verbatim'],
  ['section', 'block'],
  ['yield', 'block'],
  ['layout', 'extends'],
  ['extend', 'extends'],
  ['inherits', 'extends'],
  ['render', 'include'],
  ['embed', 'component'],
  ['call', 'component'],
  ['rem', 'comment'],
]);

/** In place of an operator. */
const foreignWords: Meanings = new Map([
  ['eq', '=='],
  ['equals', '=='],
  ['ne', '!='],
  ['neq', '!='],
  ['lt', '<'],
  ['gt', '>'],
  ['lte', '<='],
  ['le', '<='],
  ['gte', '>='],
  ['ge', '>='],
  // In capital letters.
  ['and', 'and'],
  ['or', 'or'],
  ['not', 'not'],
  ['in', 'in'],
  ['is', 'is'],
]);

/** Signs that no expression can hold. A sign stands above the signs that it contains. */
const foreignSigns: Meanings = new Map([
  ['!==', '!='],
  ['===', '=='],
  ['<>', '!='],
  ['&&', 'and'],
  ['||', 'or'],
  ['->', '.'],
  ['::', '.'],
  ['??', '|default:'],
  ['?:', 'or'],
  ['?', 'a if condition else b'],
  ['!', 'not'],
  ['=', '=='],
]);

/** What was probably meant at the place where an expression went wrong; undefined if that is not known. */
export function foreignAt(source: string, offset: number): string | undefined {
  word.lastIndex = offset;
  const found = word.exec(source)?.[0];
  if (found === 'if' && afterElse.test(source.slice(Math.max(0, offset - 20), offset))) return 'elif';
  if (found !== undefined) return meaningOf(found);
  if (source.startsWith('not(', offset - 3)) return 'not (';
  for (const [sign, meaning] of foreignSigns) {
    // The parser may have taken the first characters of the sign for another one.
    for (let start = offset; start > offset - sign.length; start--) {
      if (source.startsWith(sign, start) && isWhole(source, start, sign.length)) return meaning;
    }
  }
  return undefined;
}

function meaningOf(found: string): string | undefined {
  const meaning = foreignWords.get(found.toLowerCase());
  return meaning === found ? undefined : meaning;
}

/** Whether the sign is not a part of one with `=`, such as `==`. */
function isWhole(source: string, start: number, length: number): boolean {
  return source[start - 1] !== '=' && source[start + length] !== '=';
}

const word = /[A-Za-z]+/y;
const afterElse = /\belse\s+$/;
