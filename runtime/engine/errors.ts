/** Turns an error of a render into an error with template, line, column and the including templates. */

import { type Linker, type LoadedTemplate, MissingTemplate, variableAt } from '../../compiler/index.ts';
import { type Place, TemplateError } from '../../grammar/errors.ts';
import { FilterError } from '../filters/filter.ts';
import { NestingFault } from './budgets.ts';
import { passesThrough, TemplateFault } from './faults.ts';

/** Adds the place in the template to an error of a render. */
export function templateError(error: unknown, linker: Linker, name: string): unknown {
  if (passesThrough(error)) return error;
  const places = placesOf(error, linker, name);
  if (error instanceof TemplateError) return withCallers(error, places);
  if (error instanceof NestingFault) return nestingError(error, places, name);
  const [place = { template: name, line: 1, column: 1 }, ...outer] = places;
  const reason = emptyText(error, places[0]) + reasonOf(error);
  return new TemplateError(reason, place, { cause: error, includedFrom: callersOf(place, outer) });
}

/** `page.price is empty: ` in front of a reason, if the operation failed on a variable without a value. */
function emptyText(error: unknown, place: LocatedPlace | undefined): string {
  const isNamed = error instanceof FilterError || error instanceof TemplateFault;
  if (!isNamed || error.empty === undefined || place === undefined) return '';
  const variable = variableAt(place.loaded, place.offset, error.empty);
  return variable === undefined ? '' : `${variable} is empty: `;
}

/**
 * Too many levels of nesting. If templates lead to each other in a circle, the error is at the tag that begins
 * the circle, else where the last level begins.
 */
function nestingError(error: NestingFault, places: readonly Place[], name: string): TemplateError {
  const circle = circleIn(places);
  if (circle === undefined) {
    const [place = { template: name, line: 1, column: 1 }] = places;
    return new TemplateError(`${error.message}: ${chainOf(places.toReversed())}`, place, { cause: error });
  }
  const { begin, end } = circle;
  const place = places[lastOfTemplate(places, begin, end)] ?? { template: name, line: 1, column: 1 };
  const chain = chainOf(places.slice(end, begin + 1).reverse());
  const reason = `this leads to itself again and again: ${chain} (${error.message})`;
  return new TemplateError(reason, place, {
    cause: error,
    includedFrom: callersOf(place, places.slice(begin + 1)),
  });
}

/** The tag that leaves the template: the tags around it, such as blocks, call each other before it. */
function lastOfTemplate(places: readonly Place[], begin: number, end: number): number {
  let index = begin;
  while (index - 1 > end && places[index - 1]?.template === places[begin]?.template) index -= 1;
  return index;
}

/** The outermost place that is reached once more, and where that is; places are innermost first. */
function circleIn(places: readonly Place[]): { readonly begin: number; readonly end: number } | undefined {
  const reached = new Map<string, number>();
  let circle: { begin: number; end: number } | undefined;
  for (const [index, { template, line, column }] of places.entries()) {
    const key = JSON.stringify([template, line, column]);
    const end = reached.get(key);
    if (end !== undefined) circle = { begin: index, end };
    reached.set(key, index);
  }
  return circle;
}

/** An error of the compiler already has its place. The including templates are known only here. */
function withCallers(error: TemplateError, places: readonly Place[]): TemplateError {
  const includedFrom = callersOf(error, places);
  return includedFrom.length === 0
    ? error
    : new TemplateError(error.reason, error, { cause: error, includedFrom });
}

/** Calls within one template (a block of it, a macro, a slot) are no includes. */
function callersOf(place: Place, outer: readonly Place[]): readonly Place[] {
  return outer
    .filter((caller, index) => caller.template !== (outer[index - 1] ?? place).template)
    .map(({ template, line, column }) => ({ template, line, column }));
}

/**
 * Texts without a name share one compiled template if they are equal. Its errors name the first of them, so
 * they get the name of the text that is being rendered.
 */
export function renamed(error: unknown, loaded: LoadedTemplate, name: string): unknown {
  const isOther = (template: string) => !loaded.named && template === loaded.name && template !== name;
  if (!(error instanceof TemplateError) || !isOther(error.template)) return error;
  const { reason, line, column, includedFrom } = error;
  return new TemplateError(reason, { template: name, line, column }, { cause: error, includedFrom });
}

/** Names of the templates of some places, the outermost first, at most six, without repetitions. */
function chainOf(places: readonly Place[]): string {
  const names = places.map(({ template }) => template);
  const calls = names.filter((name, index) => index === 0 || name !== names[index - 1]);
  const shown = calls.slice(0, 6).join(' > ');
  return calls.length > 6 ? `${shown} > ...` : calls.length > 1 ? shown : `${shown} > ${shown}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof TemplateFault || error instanceof FilterError || error instanceof MissingTemplate)
    return error.message;
  if (error instanceof RangeError) {
    return error.message.includes('call stack')
      ? 'the template is nested too deeply'
      : 'a text became too long';
  }
  return error instanceof Error ? error.message : String(error);
}

interface LocatedPlace extends Place {
  readonly loaded: LoadedTemplate;
  readonly offset: number;
}

/** Positions in templates from the stack of an error, innermost first. */
function placesOf(error: unknown, linker: Linker, name: string): LocatedPlace[] {
  if (!(error instanceof Error)) return [];
  const places: LocatedPlace[] = [];
  for (const [, unit, line, column] of (error.stack ?? '').matchAll(/incipit:(\d+):(\d+):(\d+)/g)) {
    const found = linker.locate(Number(unit), Number(line), Number(column) - 1);
    if (found !== undefined) {
      const { loaded, ...position } = found;
      places.push({ ...position, loaded, template: loaded.named ? loaded.name : name });
    }
  }
  return places;
}
