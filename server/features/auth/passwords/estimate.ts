/** Estimates how many guesses a password takes. Its word lists take 60 MB and half a second, so threads load it. */
import { ZxcvbnFactory, type ZxcvbnResult } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import type { PasswordWeakness } from '../../../base/error-codes/access.ts';

export interface EstimateTask {
  readonly password: string;
  /** Words that are easy to guess here: parts of names. */
  readonly words: readonly string[];
}

/** Below this score (10^8 guesses) a password is refused; of the scale 0 to 4 it means "safely unguessable". */
const minScore = 3;
/** The time grows with the square of the length, and 40 characters are enough to see what a password is made of. */
const windowCharacters = 40;

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  // By default a password with many digits would be tried in a hundred spellings.
  l33tMaxSubstitutions: 4,
});

/** Why a password can be guessed; undefined if it is strong enough. One strong part of a long password is enough. */
export function findWeakness({ password, words }: EstimateTask): PasswordWeakness | undefined {
  const characters = [...password];
  const parts =
    characters.length <= 2 * windowCharacters
      ? [characters.slice(0, windowCharacters), characters.slice(windowCharacters)]
      : [characters.slice(0, windowCharacters), characters.slice(-windowCharacters)];
  let weakest: ZxcvbnResult | undefined;
  for (const part of parts.filter(({ length }) => length > 0)) {
    const result = estimator.check(part.join(''), [...words]);
    if (result.score >= minScore) return undefined;
    weakest ??= result;
  }
  return weakest === undefined ? 'guessable' : toWeakness(weakest.feedback.warning);
}

function toWeakness(warning: string | null): PasswordWeakness {
  return warning === null ? 'guessable' : (weaknesses[warning] ?? 'guessable');
}

/** By the warnings of the package. */
const weaknesses: Readonly<Record<string, PasswordWeakness>> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeat',
  extendedRepeat: 'repeat',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  wordByItself: 'common',
  namesByThemselves: 'common',
  commonNames: 'common',
  userInputs: 'name',
};
