/** The content of the measurement: articles in Markdown with an image each. */

export const pageCount = 2_000;
export const imageCount = 20;

const words =
  'brass glass harbour lamp tide rope winter keeper signal stone chart fog gull mast lens oil clock stair wind bell'.split(
    ' ',
  );

/** A number below `limit` that depends on nothing but the seed. */
function pick(seed: number, limit: number): number {
  return ((seed * 2_654_435_761) >>> 7) % limit;
}

function sentence(seed: number): string {
  const count = 8 + pick(seed, 9);
  const text = Array.from({ length: count }, (_, index) => words[pick(seed * 31 + index, words.length)]).join(
    ' ',
  );
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export interface Article {
  readonly slug: string;
  readonly title: string;
  /** Number of its image, from 0. */
  readonly image: number;
  /** About 3 KB with headings, lists, emphasis and links to other articles. */
  readonly markdown: string;
}

export function articleOf(number: number): Article {
  const paragraph = (seed: number) =>
    Array.from({ length: 6 }, (_, index) => sentence(seed * 7 + index)).join(' ');
  const other = (step: number) => `article-${(number * 17 + step * 101) % pageCount}`;
  const markdown = [
    paragraph(number),
    `## ${sentence(number + 1)}`,
    `${paragraph(number + 2)} **${sentence(number + 3)}** See [${other(1)}](/articles/${other(1)}/).`,
    Array.from({ length: 6 }, (_, index) => `- ${sentence(number + 4 + index)}`).join('\n'),
    `### ${sentence(number + 11)}`,
    `> ${paragraph(number + 12)}`,
    `${paragraph(number + 13)} *${sentence(number + 14)}* See [${other(2)}](/articles/${other(2)}/).`,
    paragraph(number + 15),
  ].join('\n\n');
  return { slug: `article-${number}`, title: sentence(number + 20), image: number % imageCount, markdown };
}

/** Links in the header of every page. */
export const sections = Array.from({ length: 12 }, (_, index) => `section-${index}`);
