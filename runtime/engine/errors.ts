/** From whatever goes wrong while rendering to an error that names template, line, column and who included it. */
import { type Linker, MissingTemplate } from '../../compiler/link.ts';
import type { Loaded } from '../../compiler/loaded.ts';
import { type Place, TemplateError } from '../../grammar/errors.ts';
import { FilterError } from '../filter.ts';
import { passesThrough, TemplateFault } from './faults.ts';
import { NestingFault } from './state.ts';

/** An error of a render with the place in the template it came from. */
export function templateError(error: unknown, linker: Linker, name: string): unknown {
  if (passesThrough(error)) return error;
  const places = placesOf(error, linker, name);
  if (error instanceof TemplateError) return withCallers(error, places);
  const reason = error instanceof NestingFault ? `${error.message}: ${chainOf(places)}` : reasonOf(error);
  const [place = { template: name, line: 1, column: 1 }, ...outer] = places;
  const includedFrom = error instanceof NestingFault ? [] : callersOf(place, outer);
  return new TemplateError(reason, place, { cause: error, includedFrom });
}

/** A template that cannot be compiled says so itself; what included it is seen only here. */
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

/** Texts without a name are compiled once for all that share them; their errors name the one being rendered. */
export function renamed(error: unknown, loaded: Loaded, name: string): unknown {
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

/** Templates from the outermost to where it broke, repetitions cut off. */
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
