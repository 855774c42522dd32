import type { FilterEnv } from '../../../runtime/filter.ts';
import { filters } from '../../../runtime/filters/index.ts';
import { SafeString } from '../../../runtime/safe.ts';

/** 2024-05-15 13:45:10 UTC, a Wednesday. */
export const NOW = new Date('2024-05-15T13:45:10Z');

export const ENV: FilterEnv = { autoescape: true, timeZone: 'UTC', lang: 'en', now: () => NOW };

export const safe = (text: string): SafeString => new SafeString(text);

/** Applies a filter by name, with the environment changed where a test needs it. */
export function apply(
  name: string,
  value: unknown,
  args: readonly unknown[] = [],
  env: Partial<FilterEnv> = {},
): unknown {
  const filter = filters.get(name);
  if (filter === undefined) throw new Error(`there is no filter ${name}`);
  return filter.apply(value, { ...ENV, ...env }, ...args);
}
