import { Positions, positionAt } from './positions.ts';

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

/** Errors at many places of one template: its source is read once for all lines and columns. */
export class ErrorPlaces {
  readonly #template: SourceText;
  #positions: Positions | undefined;

  constructor(template: SourceText) {
    this.#template = template;
  }

  at(offset: number, reason: string): TemplateError {
    const { name, source } = this.#template;
    this.#positions ??= new Positions(source);
    return new TemplateError(reason, { template: name, ...this.#positions.at(offset) });
  }
}
