/** Turns an error of a render into an error with template, line, column and the including templates. */

import type { LoadedTemplate } from '../../compiler/index.ts';
import { type Linker, MissingTemplate } from '../../compiler/index.ts';
import { type Place, TemplateError } from '../../grammar/errors.ts';
import { FilterError } from '../filters/filter.ts';
import { passesThrough, TemplateFault } from './faults.ts';
import { NestingFault } from './state.ts';

/** Adds the place in the template to an error of a render. */
export function templateError(error: unknown, linker: Linker, name: string): unknown {
  if (passesThrough(error)) return error;
  const places = placesOf(error, linker, name);
  if (error instanceof TemplateError) return withCallers(error, places);
  const reason = error instanceof NestingFault ? `${error.message}: ${chainOf(places)}` : reasonOf(error);
  const [place = { template: name, line: 1, column: 1 }, ...outer] = places;
  const includedFrom = error instanceof NestingFault ? [] : callersOf(place, outer);
  return new TemplateError(reason, place, { cause: error, includedFrom });
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
  return outer.filter((caller, index) => caller.template !== (outer[index - 1] ?? place).template);
}

/**
 * Texts without a name share one compiled template if they are equal. Its errors name the first of them, so
 * they get the name of the text that is being rendered.
 */
export function renamed(error: unknown, loaded: LoadedTemplate, name: string): unknown {
  if (
    !(error instanceof TemplateError) ||
    loaded.named ||
    error.template !== loaded.name ||
    loaded.name === name
  ) {
    return error;
  }
  return new TemplateError(
    error.reason,
    { template: name, line: error.line, column: error.column },
    { cause: error },
  );
}

/** Names of templates from the outermost to the place of the error, at most six, without repetitions. */
function chainOf(places: readonly Place[]): string {
  const names = places.map(({ template }) => template).reverse();
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

/** Positions in templates from the stack of an error, innermost first. */
function placesOf(error: unknown, linker: Linker, name: string): Place[] {
  if (!(error instanceof Error)) return [];
  const places: Place[] = [];
  for (const [, unit, line, column] of (error.stack ?? '').matchAll(/incipit:(\d+):(\d+):(\d+)/g)) {
    const found = linker.locate(Number(unit), Number(line), Number(column) - 1);
    if (found)
      places.push({
        template: found.loaded.named ? found.loaded.name : name,
        line: found.line,
        column: found.column,
      });
  }
  return places;
}
