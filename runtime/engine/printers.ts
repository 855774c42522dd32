/** Filters that are bound to constant arguments, for `{{ value|filter:"constant" }}`. */
import type { FilterDefinition, FilterEnv } from '../filters/filter.ts';
import { escape as escapeValue } from '../values/escape.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import type { RenderState } from './state.ts';

type Printer = (value: unknown, state: RenderState) => string;

type Constant = string | number | boolean | null;

type Filters = ReadonlyMap<string, FilterDefinition>;

/** The helpers that bind filters to constants. */
export function createPrinters(filters: Filters) {
  return {
    printer: (name: string, escaping: boolean, constants: readonly Constant[]) =>
      printerOf(filters, name, escaping, constants),
    changer: (name: string, constants: readonly Constant[]) => changerOf(filters, name, constants),
  };
}

/**
 * The output of a filter for a value. What the filter cannot print quickly goes through `apply`, with the size
 * of the value charged.
 */
function printerOf(
  filters: Filters,
  name: string,
  escaping: boolean,
  constants: readonly Constant[],
): Printer {
  const { filter, args } = bound(filters, name, constants);
  const quick = filter.quick?.(args, escaping);
  if (escaping) {
    return (value, state) => {
      const env = state.escaping;
      return quick?.(value, env) ?? escapeValue(filter.apply(state.charge(value), env, ...args));
    };
  }
  return (value, state) => {
    const env = state.plain;
    return quick?.(value, env) ?? toText(filter.apply(state.charge(value), env, ...args));
  };
}

type Changer = (value: unknown, state: RenderState, env: FilterEnv) => unknown;

/** The same for the value of a filter that is `quickText`. */
function changerOf(filters: Filters, name: string, constants: readonly Constant[]): Changer {
  const { filter, args } = bound(filters, name, constants);
  const quick = filter.quick?.(args, false);
  return (value, state, env) => quick?.(value, env) ?? filter.apply(state.charge(value), env, ...args);
}

function bound(filters: Filters, name: string, constants: readonly Constant[]) {
  const filter = filters.get(name);
  if (filter === undefined) throw new Error(`there is no filter ${name}`);
  // Strings of the author are safe, as in Django.
  const args = constants.map((value) => (typeof value === 'string' ? new SafeString(value) : value));
  return { filter, args };
}
