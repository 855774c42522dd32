/** "Did you mean": the known name that is nearest to an unknown one, or has the meaning of a foreign one. */
import { editDistance } from './edit-distance.ts';

/** The candidate that was probably meant, as ` (did you mean "x"?)`; empty if none is near. */
export function didYouMean(word: string, candidates: Iterable<string>, meanings?: Meanings): string {
  return asQuestion(nearest(word, candidates, meanings));
}

/** A suggestion as the end of a message; empty without a suggestion. */
export function asQuestion(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
}

/** Words of other languages, in lower case, with what to write here. */
export type Meanings = ReadonlyMap<string, string>;

/** Limits, because names and lists of names come from templates and may be long. */
const maxWordLength = 40;
const maxCandidates = 5_000;

/**
 * What was probably meant by `word`: by meaning, else the candidate that differs by the fewest slips; undefined
 * if none is near. Upper and lower case count as equal. Of several candidates the first counts.
 */
export function nearest(word: string, candidates: Iterable<string>, meanings?: Meanings): string | undefined {
  if (word.length > maxWordLength) return undefined;
  const wanted = word.toLowerCase();
  const meant = meanings?.get(wanted);
  if (meant !== undefined) return meant;
  let best: string | undefined;
  let allowed = slipsIn(wanted);
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > maxCandidates || allowed < 0) break;
    if (candidate === word || Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance > allowed) continue;
    best = candidate;
    allowed = distance - 1;
  }
  return best;
}

/** How many slips may lie between a word and what was meant: a short word is soon another word. */
function slipsIn({ length }: string): number {
  if (length < 2) return 0;
  return length < 5 ? 1 : length < 9 ? 2 : 3;
}
