/** Filters that are bound to constant arguments, for `{{ value|filter:"constant" }}`. */
import { filters } from '../filters/index.ts';
import { escape as escapeValue } from '../values/escape.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import type { RenderState } from './state.ts';

type Printer = (value: unknown, state: RenderState) => string;

type Constant = string | number | boolean | null;

/**
 * The output of a filter for a value. What the filter cannot print quickly goes through `apply`, with the size
 * of the value charged.
 */
export function printerOf(name: string, escaping: boolean, constants: readonly Constant[]): Printer {
  const filter = filters.get(name);
  if (filter?.quick === undefined) throw new Error(`the filter ${name} prints nothing quickly`);
  // Strings of the author are safe, as in Django.
  const args = constants.map((value) => (typeof value === 'string' ? new SafeString(value) : value));
  const quick = filter.quick(args, escaping);
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
