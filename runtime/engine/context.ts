/** Render contexts: the variables of a render, as generated code reads them. */

/** The part of the state of a render that contexts need. */
interface RebindTarget {
  /** Called before a step that may be slow. */
  checkTimeLimit(): void;
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
const late = Symbol('late');

/** Variables that are computed when a template reads them, by name. */
type LateVariables = ReadonlyMap<string, () => unknown>;

/** Adds a variable that is computed whenever a template reads it, also in the copies of the context. */
export function defineLazy(context: object, name: string, read: () => unknown): void {
  Object.defineProperty(context, late, {
    value: new Map([...(lateIn(context) ?? []), [name, read]]),
    configurable: true,
  });
  Object.defineProperty(context, name, { enumerable: true, configurable: true, get: read });
}

function lateIn(context: object): LateVariables | undefined {
  return (context as { readonly [late]?: LateVariables })[late];
}

/** A copy of a context. Nothing that is computed late is computed for it. */
export function copyContext(context: object): Record<string, unknown> {
  const variables = lateIn(context);
  if (variables === undefined) return { ...context };
  const made: Record<string, unknown> = {};
  for (const name of Object.keys(context)) {
    const read = variables.get(name);
    if (read !== undefined && isLate(context, name)) defineLazy(made, name, read);
    else made[name] = Reflect.get(context, name);
  }
  return made;
}

function give(context: Record<string, unknown>, name: string, value: unknown): void {
  // A variable that is computed late cannot be assigned to.
  if (lateIn(context)?.has(name) === true)
    Object.defineProperty(context, name, { value, enumerable: true, configurable: true, writable: true });
  else context[name] = value;
}

/** A copy of a context with further variables. */
export function extend(
  state: RebindTarget,
  context: object,
  entries: readonly (readonly [string, unknown])[],
): Record<string, unknown> {
  // The number of variables to copy has no limit.
  state.checkTimeLimit();
  const made: Record<string, unknown> & { [origin]?: Origin } = copyContext(context);
  for (const [name, value] of entries) if (name !== '__proto__') give(made, name, value);
  made[origin] = { base: context, names: new Set(entries.map(([name]) => name)), changed: new Map() };
  return made;
}

export function globalsOf(context: object, globals: ReadonlySet<string>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  const variables = lateIn(context);
  for (const name of globals) {
    if (!Object.hasOwn(context, name)) continue;
    const read = variables?.get(name);
    if (read !== undefined && isLate(context, name)) defineLazy(made, name, read);
    else made[name] = Reflect.get(context, name);
  }
  return made;
}

/** Whether a variable is still the one that is computed late, and no other took its place. */
function isLate(context: object, name: string): boolean {
  return Object.getOwnPropertyDescriptor(context, name)?.get !== undefined;
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
export function propagateRebinds(state: RebindTarget, context: object): void {
  for (const [name, value] of originOf(context)?.changed ?? []) state.rebind(name, value);
}

/** Copies rebound variables to the caller, then returns the output. */
export function finishCall(
  state: RebindTarget,
  context: object,
  output: string | Promise<string>,
): string | Promise<string> {
  if (typeof output !== 'string') return output.then((text) => finishCall(state, context, text));
  propagateRebinds(state, context);
  return output;
}

function originOf(context: object): Origin | undefined {
  return (context as { readonly [origin]?: Origin })[origin];
}
