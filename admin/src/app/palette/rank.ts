/** Something that the palette finds. */
export interface Entry {
  readonly id: string;
  readonly kind: 'command' | 'section' | 'page' | 'snippet' | 'asset' | 'item' | 'file';
  readonly title: string;
  /** Shown beside the title and searched too: the path of a page, other words for a section of the system. */
  readonly detail: string;
  /** What `pageId` and others are looked up by. */
  readonly target: string;
}

/** A first character that narrows the search to one kind. */
const prefixes: Readonly<Record<string, Entry['kind']>> = {
  '>': 'command',
  '/': 'page',
  '#': 'snippet',
  '@': 'item',
};

/** Most rows; more would not be read. */
export const maxRows = 50;

/** The text that the server is asked for; empty where it has nothing to add. */
export function serverQuery(query: string): string {
  const kind = prefixes[query.charAt(0)];
  if (kind !== undefined && kind !== 'item') return '';
  const text = (kind === 'item' ? query.slice(1) : query).trim();
  return text.length < 2 ? '' : text;
}

/**
 * The entries that match all words, the best first: whole title, beginning of the title, beginning of a word,
 * inside of a word, letters in order. Equal ones stay in the order of `entries`, which is that of recent use.
 */
export function rank(entries: readonly Entry[], query: string): readonly Entry[] {
  const kind = prefixes[query.charAt(0)];
  const text = (kind === undefined || kind === 'page' ? query : query.slice(1)).trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  const searched = kind === undefined ? entries : entries.filter((entry) => entry.kind === kind);
  if (words.length === 0 || text === '/') return searched.slice(0, maxRows);
  const found: { entry: Entry; score: number }[] = [];
  for (const entry of searched) {
    const score = scoreOf(entry, words, text);
    if (score > 0) found.push({ entry, score });
  }
  found.sort((left, right) => right.score - left.score);
  // Letters in order are a guess, for when nothing has the words.
  const isGuess = (found[0]?.score ?? 0) <= guessScore;
  const shown = isGuess ? found : found.filter(({ score }) => score > guessScore);
  return shown.slice(0, maxRows).map(({ entry }) => entry);
}

function scoreOf({ title, detail }: Entry, words: readonly string[], text: string): number {
  const name = title.toLowerCase();
  const path = detail.toLowerCase();
  if (name === text || path === text) return 1000;
  let sum = 0;
  for (const word of words) {
    const score = Math.max(scoreOfWord(name, word), scoreOfWord(path, word) * 0.8);
    if (score === 0) return 0;
    sum += score;
  }
  return sum / words.length;
}

/** Score of a name that has the letters of a word in order. */
const guessScore = 10;

function scoreOfWord(name: string, word: string): number {
  const at = name.indexOf(word);
  if (at === 0) return 100;
  if (at > 0) return /[\s/._-]/.test(name.charAt(at - 1)) ? 80 : 50;
  // A guess begins where a word does: letters anywhere are in most names.
  const parts = name.split(/[\s/._-]+/);
  const rest = parts.findIndex((part) => part.startsWith(word.charAt(0)));
  const isGuess = word.length > 2 && rest >= 0 && isSubsequence(parts.slice(rest).join(' '), word);
  return isGuess ? guessScore : 0;
}

function isSubsequence(name: string, word: string): boolean {
  let at = 0;
  for (const character of name) if (character === word.charAt(at)) at += 1;
  return at === word.length;
}
