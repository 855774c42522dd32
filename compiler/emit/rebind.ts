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
import { type EmitContext, freshName, type LocalBinding, Scope } from './context.ts';
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

/**
 * Expressions that give the value of a name to the scopes around its innermost one, as far as cycles do.
 * @param isChanged code that says whether there is another value
 */
export function passedOut(ctx: EmitContext, name: string, isChanged = 'true'): readonly string[] {
  const [own, ...outer] = ctx.scope.findAll(name);
  if (own?.kind !== 'local') return [];
  const steps: string[] = [];
  const kept: string[] = [];
  const addStep = (code: string) => steps.push([...kept, `(${code})`].join(' || '));
  let inner: LocalBinding = own;
  for (const binding of outer) {
    if (inner.changesOuter !== true || binding.kind !== 'local') return steps;
    if (inner.keptMark !== undefined) kept.push(inner.keptMark);
    addStep(`${binding.js} !== undefined && (${binding.js} = ${own.js})`);
    inner = binding;
  }
  if (ctx.inMacro) return steps;
  if (inner.isParam === true) {
    ctx.rebound.set(name, inner.js);
    const changed = changeMark(inner.js);
    addStep(isChanged === 'true' ? `${changed} = true` : `${changed} ||= ${isChanged}`);
  } else if (inner.changesOuter === true && isInContext(ctx, name)) {
    if (inner.keptMark !== undefined) kept.push(inner.keptMark);
    addStep(`r.rebindIn(c, ${literal(name)}, ${own.js})`);
  }
  return steps;
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
  const steps = visible.flatMap((name) => stepsOf(ctx, name));
  if (steps.length === 0 && !given) return '';
  return ` + (r.rebound === undefined ? "" : (${[...steps, 'r.rebound = undefined'].join(', ')}, ""))`;
}

function stepsOf(ctx: EmitContext, name: string): readonly string[] {
  const own = ctx.scope.find(name);
  if (own?.kind !== 'local') return [];
  const take = `${own.js} = r.reboundOr(${literal(name)}, ${own.js})`;
  return [take, ...passedOut(ctx, name, `r.rebound.has(${literal(name)})`)];
}
