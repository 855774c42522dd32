import type { Finding, TrackedFile } from './finding.ts';

const limits = { paragraphWords: 100, sentenceWords: 35, warnParagraphWords: 80, warnSentenceWords: 25 };

/** Paragraphs and sentences of a README that are too long to be read once. */
export function checkProse({ path, text }: TrackedFile): Finding[] {
  return paragraphsOf(text).flatMap((paragraph) => {
    const start = paragraph.split(/\s+/).slice(0, 5).join(' ');
    const place = `${path} "${start}"`;
    const findings: Finding[] = [];
    const words = countWords(paragraph);
    const longest = Math.max(...splitSentences(paragraph).map(countWords));
    if (words > limits.paragraphWords)
      findings.push({
        key: `${place} (paragraph)`,
        advice: `has ${words} words: split it by topic or make a list`,
      });
    else if (words > limits.warnParagraphWords)
      findings.push({ key: place, advice: `has ${words} words`, isWarning: true });
    if (longest > limits.sentenceWords)
      findings.push({ key: `${place} (sentence)`, advice: `has a sentence of ${longest} words: split it` });
    else if (longest > limits.warnSentenceWords)
      findings.push({ key: place, advice: `has a sentence of ${longest} words`, isWarning: true });
    return findings;
  });
}

/** Prose of a Markdown text: no code, tables or headings; each item of a list is a paragraph. */
function paragraphsOf(text: string): string[] {
  return text
    .replaceAll(/^(`{3,})[\s\S]*?^\1/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((part) =>
      part
        .replaceAll(/\]\([^)]*\)/g, ']')
        .replaceAll(/`[^`]*`/g, 'code')
        .trim(),
    )
    .filter((part) => part !== '' && !/^[#|<!]/.test(part));
}

const countWords = (text: string): number => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

/**
 * Warns of comments in changed lines whose sentences are longer than a README may have.
 *
 * @param diff a unified diff without context
 */
export function checkChangedComments(diff: string): Finding[] {
  const comments = [...diff.matchAll(/(?:^\+\s*(?:\/\/|\/?\*+) .*\n)+/gm)].map(([block]) =>
    block
      .replaceAll(/^\+\s*(?:\/\/|\/?\*+) ?/gm, '')
      .replaceAll('*/', '')
      .trim(),
  );
  return comments.flatMap((comment) =>
    splitSentences(comment)
      .filter((sentence) => countWords(sentence) > limits.sentenceWords)
      .map((sentence) => ({
        key: `comment "${sentence.split(/\s+/).slice(0, 6).join(' ')}"`,
        advice: `has a sentence of ${countWords(sentence)} words`,
        isWarning: true,
      })),
  );
}

const splitSentences = (text: string): string[] => text.split(/(?<=[.!?:])\s+/);
