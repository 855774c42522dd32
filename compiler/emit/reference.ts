/** Calling another template: which of its variants, with which arguments. Shared by include, component, extends. */
import type { Binding as NamedValue, TemplateRef } from '../../grammar/ast.ts';
import { awaited, cell, type EmitContext, type Variant } from './context.ts';
import { emitOperand, emitStored } from './expression.ts';
import { emitPassed } from './names.ts';
import { literal, mark } from './writer.ts';

/** A name the other template may read, with the code of its value. */
export interface Passed {
  readonly name: string;
  readonly js: string;
}

/** Code of a call that returns the other template's output. */
export interface TemplateCall {
  /** Names given by the call itself (`with`, parameters, slots). */
  readonly given: readonly Passed[];
  /** Whether the other template sees this one's variables too. */
  readonly seesCaller: boolean;
  /** Hide what is not given and not global (`only`). */
  readonly isolated: boolean;
}

export function givenOf(ctx: EmitContext, bindings: readonly NamedValue[]): Passed[] {
  return bindings.map(({ name, value, start }) => ({ name, js: mark(start) + emitStored(ctx, value) }));
}

/**
 * The call, for each way a template can be named. A bare word is a variable first: if that holds a string at run
 * time it is the name, else the word is.
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
      const named = `nameIn(${emitOperand(ctx, template.lookup)})`;
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
    const target = cell(ctx, { kind: 'body', template: name, variant: variantFor(ctx, call, []) });
    const context = contextWith(ctx, call, passedNames(ctx, call));
    return awaited(ctx, `${target}.run(r, ${context}, ${target}.table)`);
  }
  const needed = neededNames(ctx, call, reads ?? new Set());
  const names = needed.map((entry) => entry.name);
  const target = cell(ctx, { kind: 'body', template: name, variant: variantFor(ctx, call, names) });
  const args = ['r', 'c', `${target}.table`, ...needed.map((entry) => entry.js)];
  return awaited(ctx, `${target}.run(${args.join(', ')})`);
}

/** Of what is passed, that which the other template reads, by name. */
function neededNames(ctx: EmitContext, call: TemplateCall, reads: ReadonlySet<string>): Passed[] {
  const given = new Map(call.given.map((entry) => [entry.name, entry]));
  const needed: Passed[] = [];
  for (const name of [...reads].sort()) {
    const own = given.get(name);
    if (own !== undefined) needed.push(own);
    else if (call.seesCaller && ctx.scope.find(name) !== undefined)
      needed.push({ name, js: emitPassed(ctx, name) });
  }
  return needed;
}

/** A name known only while rendering: what is visible travels in a context of its own. */
function emitComputedCall(ctx: EmitContext, name: string, call: TemplateCall): string {
  const context = contextWith(ctx, call, passedNames(ctx, call));
  const variant = variantFor(ctx, { ...call, isolated: false }, []);
  return awaited(ctx, `renderNamed(r, ${context}, ${name}, self, ${JSON.stringify(variant)})`);
}

function variantFor(ctx: EmitContext, call: TemplateCall, names: readonly string[]): Variant {
  const inherits = call.seesCaller && ctx.variant.isolated;
  return { names, autoescape: ctx.autoescape, isolated: call.isolated || inherits, async: ctx.variant.async };
}

/** What is given, and below it what is visible here if the other template sees that. */
function passedNames(ctx: EmitContext, call: TemplateCall): Passed[] {
  const given = new Map(call.given.map((entry) => [entry.name, entry]));
  const visible = call.seesCaller ? ctx.scope.visible() : [];
  for (const name of visible) if (!given.has(name)) given.set(name, { name, js: emitPassed(ctx, name) });
  return [...given.values()];
}

function contextWith(ctx: EmitContext, call: TemplateCall, passed: readonly Passed[]): string {
  const inherits = call.seesCaller && ctx.variant.isolated;
  const base = call.isolated || inherits ? 'globalsOf(c)' : 'c';
  if (passed.length === 0) return base;
  return `extend(r, ${base}, [${passed.map(({ name, js }) => `[${literal(name)}, ${js}]`).join(', ')}])`;
}
