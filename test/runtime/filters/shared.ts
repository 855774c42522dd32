import type { FilterEnv } from '../../../runtime/filters/filter.ts';
import { filters } from '../../../runtime/filters/index.ts';
import { SafeString } from '../../../runtime/values/safe.ts';

/** 2024-05-15 13:45:10 UTC, a Wednesday. */
export const now = new Date('2024-05-15T13:45:10Z');

export const defaultEnv: FilterEnv = { autoescape: true, timeZone: 'UTC', lang: 'en', now: () => now };

export const safe = (text: string): SafeString => new SafeString(text);

/** Applies a filter by name; a test may change parts of the environment. */
export function apply(
  name: string,
  value: unknown,
  args: readonly unknown[] = [],
  env: Partial<FilterEnv> = {},
): unknown {
  const filter = filters.get(name);
  if (filter === undefined) throw new Error(`there is no filter ${name}`);
  return filter.apply(value, { ...defaultEnv, ...env }, ...args);
}
