/** Render contexts: the variables of a render, as generated code reads them. */

import type { RenderState } from './state.ts';

/** A copy of a context with further variables. */
export function extend(
  state: RenderState,
  context: object,
  entries: readonly (readonly [string, unknown])[],
): Record<string, unknown> {
  // The number of variables to copy has no limit.
  state.look();
  const made: Record<string, unknown> = { ...context };
  for (const [name, value] of entries) if (name !== '__proto__') made[name] = value;
  return made;
}

export function globalsOf(context: object, globals: ReadonlySet<string>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const name of globals) {
    if (Object.hasOwn(context, name)) made[name] = Reflect.get(context, name);
  }
  return made;
}
