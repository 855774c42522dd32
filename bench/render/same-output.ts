import type { Contestant } from '../measure.ts';

/**
 * Throws unless all contestants give the output of the first. White space, the way of writing a character
 * reference, and the case of the document type may differ.
 */
export function checkSameOutput(workload: string, contestants: readonly Contestant[]): void {
  const [reference, ...others] = contestants;
  if (reference === undefined) throw new Error(`${workload} has no contestants`);
  const expected = normalize(reference.run());
  for (const contestant of others) {
    const actual = normalize(contestant.run());
    if (actual === expected) continue;
    const start = Math.max(0, firstDifference(expected, actual) - 30);
    throw new Error(
      `${workload}: ${contestant.name} gives another output than ${reference.name}\n` +
        `  expected ...${expected.slice(start, start + 90)}...\n` +
        `  received ...${actual.slice(start, start + 90)}...`,
    );
  }
}

const shownCharacters: ReadonlyMap<string, string> = new Map([
  ['&#x27;', '&#39;'],
  ['&apos;', '&#39;'],
  ['&#34;', '&quot;'],
  ['&#x3D;', '='],
  ['&#x60;', '`'],
]);

function normalize(html: string): string {
  return html
    .replace(/^<!DOCTYPE/, '<!doctype')
    .replace(/&(?:#x27|apos|#34|#x3D|#x60);/g, (entity) => shownCharacters.get(entity) ?? entity)
    .replace(/\s+/g, ' ')
    .replace(/ ?([<>]) ?/g, '$1')
    .trim();
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  return index;
}
