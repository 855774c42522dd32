import { escapeHtml } from '../values/escape.ts';
import { limitText } from '../values/limits.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';

/**
 * The contract between compiler and filters, and the constructors the filter files are written with.
 *
 * String literals of a template reach filters as SafeString, as in Django, where the author of a template is
 * trusted with markup: `{{ x|default:"<b>none</b>" }}` prints the tags. Filters therefore read arguments with
 * `toText`, and return them unchanged only where Django does.
 */

export { FilterError } from '../values/limits.ts';

/** The part of a render that filters can see. */
export interface FilterEnv {
  /** Whether escaping is on at the place of the filter. */
  readonly autoescape: boolean;
  /** IANA name of the zone in which times are shown. */
  readonly timeZone: string;
  /** Language tag of the page; names of months, number separators and words follow it. */
  readonly lang: string;
  /** @param precision how exactly the output shows the time. Default: `moment` */
  now(precision?: 'day' | 'moment'): Date;
}

export interface FilterDefinition {
  readonly name: string;
  /** Fewest and most arguments after the value. */
  readonly args: readonly [number, number];
  /** The kind of every result, for escaping decisions at compile time; absent = any value. */
  readonly returns?: 'safe' | 'number' | 'boolean';
  /** The texts that an argument may be, for a check at compile time; absent = any value. */
  readonly choices?: readonly string[];
  /**
   * `value` is never undefined: a missing variable arrives as '' (or null inside if/for).
   * Throws a FilterError for arguments that make no sense or results that are too large.
   */
  apply(value: unknown, env: FilterEnv, ...args: unknown[]): unknown;
  /**
   * Binds the filter to constant arguments, for the output of `{{ value|filter }}`. Absent, or undefined as a
   * result, if nothing is gained. @param escaping whether escaping is on
   */
  quick?(args: readonly unknown[], escaping: boolean): QuickPrint | undefined;
  /** Whether what is quickly printed without escaping is also what `apply` gives: a plain text. */
  readonly quickText?: true;
}

/**
 * What `{{ value|filter }}` prints, HTML if escaping is on; undefined for a value that must go through `apply`.
 * It costs no more than a few hundred characters of work, because nobody is charged for it.
 */
export type QuickPrint = (value: unknown, env: FilterEnv) => string | undefined;

/** Most UTF-16 units of a text that a quick printer may read as a whole. */
export const quickLength = 1_024;

type ArgCount = FilterDefinition['args'];

/** Text in, text out; a safe text stays safe (Django's `stringfilter` with `is_safe`). */
export function textFilter(
  name: string,
  args: ArgCount,
  apply: (text: string, ...args: unknown[]) => string,
): FilterDefinition {
  // Most filters take no argument or one; gathering arguments into a list costs more than many of them do.
  if (args[1] === 0)
    return { name, args, apply: (value) => keepSafe(value, limitText(apply(toText(value)))) };
  if (args[1] === 1)
    return {
      name,
      args,
      apply: (value, _env, argument) => keepSafe(value, limitText(apply(toText(value), argument))),
    };
  return {
    name,
    args,
    apply: (value, _env, ...rest) => keepSafe(value, limitText(apply(toText(value), ...rest))),
  };
}

/** Text in, anything out; a safe text is not safe any more (Django's `stringfilter` without `is_safe`). */
export function unsafeTextFilter(
  name: string,
  args: ArgCount,
  apply: (text: string, ...args: unknown[]) => unknown,
): FilterDefinition {
  if (args[1] === 0) return { name, args, apply: (value) => limited(apply(toText(value))) };
  return { name, args, apply: (value, _env, ...rest) => limited(apply(toText(value), ...rest)) };
}

/**
 * Text in, HTML out. `mustEscape` tells that the text is not HTML yet: autoescape is on and the value was not
 * safe (Django's `needs_autoescape`).
 */
export function markupFilter(
  name: string,
  args: ArgCount,
  apply: (text: string, mustEscape: boolean, ...args: unknown[]) => string,
): FilterDefinition {
  return {
    name,
    args,
    returns: 'safe',
    apply: (value, env, ...rest) => {
      const mustEscape = env.autoescape && !(value instanceof SafeString);
      return new SafeString(limitText(apply(toText(value), mustEscape, ...rest)));
    },
  };
}

/** Returns the value or its one argument. The filter builds no text, so there is no length to check. */
export function choosingFilter(
  name: string,
  choose: (value: unknown, argument: unknown) => unknown,
): FilterDefinition {
  return {
    name,
    args: [1, 1],
    apply: (value, _env, argument) => choose(value, argument),
  };
}

/** Any value in, any value out; `env` comes second. */
export function valueFilter(
  name: string,
  args: ArgCount,
  apply: (value: unknown, env: FilterEnv, ...args: unknown[]) => unknown,
): FilterDefinition {
  if (args[1] === 0) return { name, args, apply: (value, env) => limited(apply(value, env)) };
  if (args[1] === 1) {
    return { name, args, apply: (value, env, argument) => limited(apply(value, env, argument)) };
  }
  return { name, args, apply: (value, env, ...rest) => limited(apply(value, env, ...rest)) };
}

/** Marks a text as safe if it was made from a safe value (Django's `is_safe`). */
export function keepSafe(value: unknown, result: unknown): unknown {
  return value instanceof SafeString && typeof result === 'string' ? new SafeString(result) : result;
}

export function limited(result: unknown): unknown {
  if (result instanceof SafeString) limitText(result.value);
  return typeof result === 'string' ? limitText(result) : result;
}

/** Prints a text that is not safe and not long by a function from text to text. */
export function printFast(apply: (text: string) => string, escaping: boolean): QuickPrint {
  return (value) => {
    if (typeof value !== 'string' || value.length > quickLength) return undefined;
    const text = apply(value);
    return escaping ? escapeHtml(text) : text;
  };
}
