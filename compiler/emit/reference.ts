/** Calls of another template: the variant and the arguments. Shared by include and component. */
import type { Binding as NamedValue, TemplateRef } from '../../grammar/ast.ts';
import { constantName } from '../constant-name.ts';
import { awaited, callHelper, cell, type EmitContext, emitInstance } from './context.ts';
import { emitOperand, emitStored } from './expression.ts';
import { emitPassed } from './names.ts';
import { takeRebound } from './rebind.ts';
import type { Variant } from './variant.ts';
import { literal, mark } from './writer.ts';

/** An argument of the call: a name that the other template may read, with the code of its value. */
export interface PassedArgument {
  readonly name: string;
  readonly js: string;
}

/** Code of a call that returns the other template's output. */
export interface TemplateCall {
  /** Names given by the call itself (`with`, parameters, slots). */
  readonly given: readonly PassedArgument[];
  /** Whether the other template also sees the variables of this one. */
  readonly seesCaller: boolean;
  /** Whether variables that are neither given nor global are hidden (`only`). */
  readonly isolated: boolean;
  /** Whether the slots are given in a list. */
  readonly givesList?: true | undefined;
  /** JavaScript of the key of an include tag, which has an instance of the other template for itself. */
  readonly tag?: string | undefined;
}

export function listPassedArguments(ctx: EmitContext, bindings: readonly NamedValue[]): PassedArgument[] {
  return bindings.map(({ name, value, start }) => ({ name, js: mark(start) + emitStored(ctx, value) }));
}

/**
 * The call, for each form of a template name. A bare word is first read as a variable: if the variable holds
 * a string while rendering, that string is the name, else the word is.
 */
export function emitTemplateCall(
  ctx: EmitContext,
  template: TemplateRef,
  call: TemplateCall,
  offset: number,
): string {
  const at = mark(offset);
  switch (template.kind) {
    case 'literal':
      return at + emitStaticCall(ctx, template.name, call);
    case 'word': {
      if (template.lookup === undefined) return at + emitStaticCall(ctx, template.name, call);
      const named = callHelper(ctx, 'nameIn', emitOperand(ctx, template.lookup));
      if (ctx.surroundings.reads(template.name) === undefined) {
        return at + emitComputedCall(ctx, `${named} ?? ${literal(template.name)}`, call);
      }
      return `(${named} === undefined ? ${at}${emitStaticCall(ctx, template.name, call)} : ${at}${emitComputedCall(ctx, named, call)})`;
    }
    case 'expression':
      return at + emitComputedCall(ctx, emitOperand(ctx, template.value), call);
  }
}

function emitStaticCall(ctx: EmitContext, name: string, call: TemplateCall): string {
  const reads = ctx.surroundings.reads(name);
  if (reads === 'all') {
    const target = cell(ctx, { kind: 'body', template: name, variant: contextVariant(ctx) });
    const context = contextWith(ctx, call, passedNames(ctx, call));
    const run = callHelper(ctx, 'runIn', 'r', context, target);
    return joined(awaited(ctx, inInstance(ctx, call, run)), reboundBy(ctx, call, 'all'));
  }
  const needed = neededNames(ctx, call, reads ?? new Set());
  const names = needed.map((entry) => entry.name);
  const target = cell(ctx, { kind: 'body', template: name, variant: variantFor(ctx, call, names) });
  const args = ['r', 'c', `${target}.table`, ...needed.map((entry) => entry.js)];
  const run = `${target}.run(${args.join(', ')})`;
  const rebinds = ctx.surroundings.rebinds(name);
  const taken = reboundBy(ctx, call, rebinds === 'all' ? new Set(names) : rebinds);
  return joined(awaited(ctx, inInstance(ctx, call, run)), taken);
}

/** The call with the instance of the other template that belongs to this tag (see RenderState). */
function inInstance(ctx: EmitContext, { tag }: TemplateCall, run: string): string {
  return tag === undefined ? run : `(r.enterTag(${emitInstance(ctx)}, ${tag}), ${run})`;
}

/** Arguments that the other template reads, by name. */
function neededNames(ctx: EmitContext, call: TemplateCall, reads: ReadonlySet<string>): PassedArgument[] {
  const given = new Map(call.given.map((entry) => [entry.name, entry]));
  const needed: PassedArgument[] = [];
  for (const name of [...reads].sort()) {
    const own = given.get(name);
    if (own !== undefined) needed.push(own);
    else if (call.seesCaller && ctx.scope.find(name) !== undefined)
      needed.push({ name, js: emitPassed(ctx, name) });
  }
  return needed;
}

/** A call by a name known only while rendering. The visible variables are passed in a new render context. */
function emitComputedCall(ctx: EmitContext, name: string, call: TemplateCall): string {
  const context = contextWith(ctx, call, passedNames(ctx, call));
  const variant = JSON.stringify(contextVariant(ctx));
  const run = callHelper(ctx, 'renderNamed', 'r', context, name, 'self', variant);
  return joined(awaited(ctx, inInstance(ctx, call, run)), reboundBy(ctx, call, 'all'));
}

function joined(output: string, taken: string): string {
  return taken === '' ? output : `(${output}${taken})`;
}

/** Code that takes the values which cycles of the other template gave to these names, if the call has them. */
function reboundBy(ctx: EmitContext, call: TemplateCall, names: ReadonlySet<string> | 'all'): string {
  const isNamed = (name: string) => names === 'all' || names.has(name);
  const own = call.given.map(({ name }) => name).filter(isNamed);
  const visible = call.seesCaller ? ctx.scope.visible().filter(isNamed) : [];
  return takeRebound(ctx, {
    visible: visible.filter((name) => !own.includes(name)),
    given: own.length > 0,
  });
}

/** The variant of a template that finds all variables in its render context, and no others. */
function contextVariant({ autoescape, variant }: EmitContext): Variant {
  return { names: [], autoescape, isolated: false, async: variant.async };
}

function variantFor(ctx: EmitContext, call: TemplateCall, names: readonly string[]): Variant {
  const inherits = call.seesCaller && ctx.variant.isolated;
  const { async } = ctx.variant;
  const variant = { names, autoescape: ctx.autoescape, isolated: call.isolated || inherits, async };
  return call.givesList && names.includes('slots') ? { ...variant, takesList: true } : variant;
}

/** The given arguments, and the visible variables if the other template sees them. Given arguments win. */
function passedNames(ctx: EmitContext, call: TemplateCall): PassedArgument[] {
  const given = new Map(call.given.map((entry) => [entry.name, entry]));
  const visible = call.seesCaller ? ctx.scope.visible() : [];
  for (const name of visible) if (!given.has(name)) given.set(name, { name, js: emitPassed(ctx, name) });
  return [...given.values()];
}

function contextWith(ctx: EmitContext, call: TemplateCall, passed: readonly PassedArgument[]): string {
  const inherits = call.seesCaller && ctx.variant.isolated;
  const base = call.isolated || inherits ? callHelper(ctx, 'globalsOf', 'c') : 'c';
  if (passed.length === 0) return base;
  const entries = passed.map(({ name, js }) => `[${literal(name)}, ${js}]`);
  return callHelper(ctx, 'extend', 'r', base, `[${entries.join(', ')}]`);
}

/** Whether the other template may keep state in a loop around the tag: only then its instances differ. */
export function entersInstance({ surroundings }: EmitContext, template: TemplateRef): boolean {
  const name = constantName(template);
  if (name === undefined) return true;
  const reads = surroundings.reads(name);
  return reads === 'all' || (reads?.has('forloop') ?? false);
}
