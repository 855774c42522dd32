/** Render contexts: the variables of a render, as generated code reads them. */

/** The part of the state of a render that contexts need. */
interface Told {
  /** Called before a step that may be slow. */
  look(): void;
  /** Tells the caller that a cycle gave a parameter another value. */
  rebind(name: string, value: unknown): void;
}

/** Where a context was made from another, for cycles that give a variable another value. */
interface Origin {
  readonly base: object;
  /** Names of the variables that came on top. */
  readonly names: ReadonlySet<string>;
  /** Their new values, which the maker has not taken yet. */
  readonly changed: Map<string, unknown>;
}

const origin = Symbol('origin');

/** A copy of a context with further variables. */
export function extend(
  state: Told,
  context: object,
  entries: readonly (readonly [string, unknown])[],
): Record<string, unknown> {
  // The number of variables to copy has no limit.
  state.look();
  const made: Record<string, unknown> & { [origin]?: Origin } = { ...context };
  for (const [name, value] of entries) if (name !== '__proto__') made[name] = value;
  made[origin] = { base: context, names: new Set(entries.map(([name]) => name)), changed: new Map() };
  return made;
}

export function globalsOf(context: object, globals: ReadonlySet<string>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const name of globals) {
    if (Object.hasOwn(context, name)) made[name] = Reflect.get(context, name);
  }
  return made;
}

/** Gives a variable another value, in the contexts that this one was made from, too; nothing without it. */
export function rebindIn(context: object, name: string, value: unknown): void {
  for (let changed: object | undefined = context; changed !== undefined; ) {
    if (!Object.hasOwn(changed, name) || Reflect.get(changed, name) === undefined) return;
    Reflect.set(changed, name, value);
    const from = originOf(changed);
    if (from?.names.has(name)) from.changed.set(name, value);
    changed = from?.names.has(name) ? undefined : from?.base;
  }
}

/** Tells the caller the changed values of a context that it made for a call. */
export function tellRebound(state: Told, context: object): void {
  for (const [name, value] of originOf(context)?.changed ?? []) state.rebind(name, value);
}

/** The output of a call that had a context of its own; the caller is told the changed values. */
export function told(
  state: Told,
  context: object,
  output: string | Promise<string>,
): string | Promise<string> {
  if (typeof output !== 'string') return output.then((text) => told(state, context, text));
  tellRebound(state, context);
  return output;
}

function originOf(context: object): Origin | undefined {
  return (context as { readonly [origin]?: Origin })[origin];
}
