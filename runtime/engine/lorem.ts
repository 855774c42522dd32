/** `{% lorem %}`: filler text. Without `random` it begins with the usual words; the rest is random. */
import { parseInteger } from '../filters/shared/values.ts';
import { TemplateFault } from './faults.ts';

const opening =
  'Lorem ipsum dolor sit amet, consectetur adipisicing elit, sed do eiusmod tempor incididunt ut labore et dolore ' +
  'magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo ' +
  'consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla ' +
  'pariatur. Excepteur sint occaecat cupidatat non proident, sunt in culpa qui officia deserunt mollit anim id est ' +
  'laborum.';

const openingWords = opening.toLowerCase().replace(/[.,]/g, '').split(' ').slice(0, 19);

const vocabulary = [...new Set(opening.toLowerCase().replace(/[.,]/g, '').split(' '))];

const maxCount = 10_000;

/**
 * @param count how many words, paragraphs or blocks; a value that is not a number counts as 1
 * @param random if false, the text begins with the usual words
 */
export function lorem(count: unknown, method: 'words' | 'paragraphs' | 'blocks', random: boolean): string {
  const wanted = Number(parseInteger(count) ?? 1n);
  if (wanted > maxCount) throw new TemplateFault(`{% lorem %} makes at most ${maxCount} words or paragraphs`);
  if (method === 'words') return words(wanted, random);
  const paragraphs = Array.from({ length: Math.max(0, wanted) }, (_, index) =>
    index === 0 && !random ? opening : paragraph(),
  );
  return method === 'paragraphs'
    ? paragraphs.map((text) => `<p>${text}</p>`).join('\n\n')
    : paragraphs.join('\n\n');
}

function words(count: number, random: boolean): string {
  const usual = random ? [] : openingWords.slice(0, Math.max(0, count));
  const more = Array.from({ length: Math.max(0, count - usual.length) }, drawWord);
  return [...usual, ...more].join(' ');
}

function paragraph(): string {
  return Array.from({ length: between(1, 4) }, sentence).join(' ');
}

function sentence(): string {
  const text = Array.from({ length: between(4, 12) }, drawWord).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function drawWord(): string {
  return vocabulary[between(0, vocabulary.length - 1)] ?? 'lorem';
}

function between(least: number, most: number): number {
  return least + Math.floor(Math.random() * (most - least + 1));
}
