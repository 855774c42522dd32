/**
 * A mistake in a template, found when it is compiled or rendered. `message` is
 * `<template>:<line>:<column>: <reason>`. For an included template the including places follow. Lines and
 * columns start at 1 and point at the tag, filter or name in question.
 */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly template: string;
  readonly line: number;
  readonly column: number;
  /** What is wrong and what was expected, without the position. */
  readonly reason: string;
  /** The places that include this template, innermost first. */
  readonly includedFrom: readonly Place[];

  constructor(
    reason: string,
    { template, line, column }: Place,
    options: ErrorOptions & { readonly includedFrom?: readonly Place[] } = {},
  ) {
    const { includedFrom = [] } = options;
    const shown = reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength)}...` : reason;
    super(`${placeText({ template, line, column })}: ${shown}${includedText(includedFrom)}`, options);
    this.template = template;
    this.line = line;
    this.column = column;
    this.reason = shown;
    this.includedFrom = includedFrom;
  }
}

export interface Place {
  readonly template: string;
  readonly line: number;
  readonly column: number;
}

function placeText({ template, line, column }: Place): string {
  return `${template}:${line}:${column}`;
}

const maxPlacesShown = 5;

/** Characters. A reason may quote a name, and a name may be as long as a template. */
const maxReasonLength = 1_000;

function includedText(places: readonly Place[]): string {
  if (places.length === 0) return '';
  const more = places.length > maxPlacesShown ? ', ...' : '';
  return ` (included from ${places.slice(0, maxPlacesShown).map(placeText).join(', ')}${more})`;
}

/** The template that an error points into. */
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
  return new TemplateError(reason, { template: template.name, line, column }, options);
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

/** The candidate that was probably meant, as ` (did you mean "x"?)`; empty if none is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const name = nearestName(word, candidates);
  return name === undefined ? '' : ` (did you mean "${name}"?)`;
}

/** The candidate that was probably meant; undefined if none is near. */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 40) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.ceil(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
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
