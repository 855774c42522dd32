/**
 * The value of a cycle in the scopes around the tag. As in Django, `{% cycle ... as name %}` changes the name
 * in the innermost scope that has it, also if that is a scope of the layout around the block, or of the
 * template that includes this one.
 *
 * - Within a function the local variables around are assigned.
 * - A function tells its caller the new values of its parameters when it ends (`r.rebind`), and the caller
 *   takes them directly after the call.
 * - What is in no scope is in the render context, which the engine copies for such a render.
 */
import { type BoundName, type EmitContext, freshName, type LocalBinding, Scope } from './context.ts';
import { emitName } from './names.ts';
import { literal } from './writer.ts';

/** A scope of parameters, and their JavaScript names. */
export function parameterScope(ctx: EmitContext, names: readonly string[]) {
  const scope = new Scope();
  const params = names.map((name) => {
    const js = freshName(ctx, name);
    scope.bind(name, { kind: 'local', js, isParam: true });
    return js;
  });
  return { scope, params };
}

/**
 * Writes that the function tells its caller what cycles made of its parameters. Stands at its end. The `var`
 * belongs to the whole function: code before it sets the variable.
 */
export function emitRebound({ rebound, writer }: EmitContext): void {
  for (const [name, js] of rebound) {
    const changed = changeMark(js);
    writer.line(`var ${changed}; if (${changed} && ${js} !== undefined) r.rebind(${literal(name)}, ${js});`);
  }
}

/** The JavaScript name that says whether a parameter has changed. Two `$` are in no name of a template. */
function changeMark(js: string): string {
  return `changed$$${js}`;
}

/** A value that a name has in its innermost scope and that a cycle may have given it. */
interface CycleValue {
  readonly name: string;
  /** JavaScript of the value. */
  readonly js: string;
  /** Code that says whether a cycle has changed it. */
  readonly isChanged: string;
}

/**
 * Expressions that give the value of a name to the scopes around its innermost one, as far as cycles do.
 * @param isChanged code that says whether there is another value
 */
export function passedOut(ctx: EmitContext, name: string, isChanged = 'true'): readonly string[] {
  const bindings = ctx.scope.findAll(name);
  const [own] = bindings;
  return own?.kind === 'local' ? stepsFrom(ctx, { name, js: own.js, isChanged }, bindings, 0) : [];
}

/** The steps from the scope at an index to all scopes around it. */
function stepsFrom(
  ctx: EmitContext,
  value: CycleValue,
  bindings: readonly BoundName[],
  index: number,
): readonly string[] {
  const [inner, outer] = [bindings[index], bindings[index + 1]];
  if (inner?.kind !== 'local') return [];
  if (outer === undefined) return stepsOutOfFunction(ctx, value, inner);
  if (inner.changesOuter !== true || outer.kind !== 'local') return [];
  const assignment = `(${outer.js} !== undefined && (${outer.js} = ${value.js}))`;
  return unlessKept(inner, [assignment, ...stepsFrom(ctx, value, bindings, index + 1)]);
}

/** From the outermost scope of a function: to its caller, or into the render context. */
function stepsOutOfFunction(
  ctx: EmitContext,
  { name, js, isChanged }: CycleValue,
  outermost: LocalBinding,
): readonly string[] {
  if (ctx.inMacro) return [];
  if (outermost.isParam === true) {
    ctx.rebound.set(name, outermost.js);
    const changed = changeMark(outermost.js);
    return [isChanged === 'true' ? `(${changed} = true)` : `(${changed} ||= ${isChanged})`];
  }
  if (outermost.changesOuter !== true || !isInContext(ctx, name)) return [];
  return unlessKept(outermost, [`(r.rebindIn(c, ${literal(name)}, ${js}))`]);
}

/** Once another tag has assigned the name in a scope, cycles change nothing outside of that scope. */
function unlessKept({ keptMark }: LocalBinding, steps: readonly string[]): readonly string[] {
  return keptMark === undefined ? steps : steps.map((step) => `${keptMark} || ${step}`);
}

/** Whether a name that no scope has is looked for in the render context. */
function isInContext(ctx: EmitContext, name: string): boolean {
  const value = emitName({ ...ctx, scope: new Scope() }, name);
  return value.kind === 'any' && value.js !== 'undefined';
}

interface CalledWith {
  /** Variables of this template that the call passes on. */
  readonly visible: readonly string[];
  /** Whether it also passes values of its own, whose changes end with the call. */
  readonly given: boolean;
}

/** Code to be joined to the output of a call: takes the values that the called function told. */
export function takeRebound(ctx: EmitContext, { visible, given }: CalledWith): string {
  const steps = visible.flatMap((name) => stepsAfterCall(ctx, name));
  if (steps.length === 0 && !given) return '';
  return ` + (r.rebound === undefined ? "" : (${[...steps, 'r.rebound = undefined'].join(', ')}, ""))`;
}

/** Takes the told value of a name into its innermost scope, and passes it on from there. */
function stepsAfterCall(ctx: EmitContext, name: string): readonly string[] {
  const own = ctx.scope.find(name);
  if (own?.kind !== 'local') return [];
  const take = `${own.js} = r.reboundOr(${literal(name)}, ${own.js})`;
  return [take, ...passedOut(ctx, name, `r.rebound.has(${literal(name)})`)];
}
