/**
 * A mistake in a template, or one that shows while rendering it.
 * `message` is `<template>:<line>:<column>: <reason>`; lines and columns start at 1 and point at the tag, filter
 * or name in question.
 */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly template: string;
  readonly line: number;
  readonly column: number;
  /** What is wrong and what was expected, without the position. */
  readonly reason: string;

  constructor(reason: string, template: string, line: number, column: number, options?: ErrorOptions) {
    super(`${template}:${line}:${column}: ${reason}`, options);
    this.template = template;
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}

/** Where an error is made: the template it is in. */
export interface SourceText {
  readonly name: string;
  readonly source: string;
}

export function errorAt(
  template: SourceText,
  offset: number,
  reason: string,
  options?: ErrorOptions,
): TemplateError {
  const { line, column } = positionAt(template.source, offset);
  return new TemplateError(reason, template.name, line, column, options);
}

/** Line and column, both from 1, of an offset. */
export function positionAt(source: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = source.indexOf('\n'); at >= 0 && at < offset; at = source.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** The candidate that was probably meant, as ` (did you mean "x"?)`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  if (word.length > 40) return '';
  let best = '';
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best === '' ? '' : ` (did you mean "${best}"?)`;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
