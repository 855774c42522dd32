/** Names and lookups: variables as locals or from the render context, `forloop`, properties of values. */
import type { Expression } from '../../grammar/ast.ts';
import { awaited, type EmitContext, type LoopBinding, type Value } from './context.ts';
import { literal, mark, property } from './writer.ts';

export function emitName(ctx: EmitContext, name: string): Value {
  const binding = ctx.scope.find(name);
  if (binding?.kind === 'loop') return lookup(loopObject(binding));
  if (binding !== undefined) return lookup(binding.js);
  if (ctx.variant.isolated && !ctx.inMacro && !ctx.options.globals.has(name)) return lookup('undefined');
  return lookup(inheritedNames.has(name) ? `own(c, ${literal(name)})` : `c${property(name)}`);
}

/** Names every object inherits, so that a context seems to have them. */
const inheritedNames = new Set([...Object.getOwnPropertyNames(Object.prototype), '__proto__']);

/** Code of a visible name as an argument to another function of generated code. */
export function emitPassed(ctx: EmitContext, name: string): string {
  const value = emitName(ctx, name);
  return value.kind === 'constant' ? literal(value.text) : value.js;
}

/** `forloop` as a value, for places that need the whole of it. */
export function loopObject(loop: LoopBinding): string {
  return `loopObject(${loop.index}, ${loop.length}, ${loop.parent}, ${loop.memory} ??= new Map())`;
}

/** Fields of `forloop` that are worked out where they are read. */
export const loopFields = new Map<string, (loop: LoopBinding) => Value>([
  ['counter', ({ index }) => ({ kind: 'integer', js: `(${index} + 1)` })],
  ['counter0', ({ index }) => ({ kind: 'integer', js: index })],
  ['revcounter', ({ index, length }) => ({ kind: 'integer', js: `(${length} - ${index})` })],
  ['revcounter0', ({ index, length }) => ({ kind: 'integer', js: `(${length} - ${index} - 1)` })],
  ['first', ({ index }) => ({ kind: 'boolean', js: `(${index} === 0)` })],
  ['last', ({ index, length }) => ({ kind: 'boolean', js: `(${index} === ${length} - 1)` })],
  ['length', ({ length }) => ({ kind: 'integer', js: length })],
]);

/** The loop that an expression stands for: `forloop`, `forloop.parentloop`, and so on, while it is known here. */
export function loopOf(ctx: EmitContext, expression: Expression): LoopBinding | undefined {
  if (expression.type === 'Name' && expression.name === 'forloop') {
    const binding = ctx.scope.find('forloop');
    return binding?.kind === 'loop' ? binding : undefined;
  }
  if (expression.type === 'Member' && expression.key === 'parentloop')
    return loopOf(ctx, expression.object)?.parentLoop;
  return undefined;
}

/** `{{ block.super }}`: the definition of the block one level up. */
export function emitSuper(ctx: EmitContext, key: string, offset: number): string {
  const args = ['r', 'c', 'B', 'L + 1', ...superNames(ctx, key)];
  return mark(offset) + awaited(ctx, `superBlock(B, ${literal(key)}, L)(${args.join(', ')})`);
}

function superNames(ctx: EmitContext, key: string): readonly string[] {
  const site = ctx.unit.sites.get(key);
  return (site?.names ?? []).map((name) => emitPassed(ctx, name));
}

/** Names that some built-in prototype has, and those with a meaning of their own, need the guarded lookup. */
const guardedNames = new Set([
  ...[Object, Array, String, Number, Boolean, Date, Function].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
  'items',
  '__proto__',
]);
// Own properties of functions only, and no value in a template is a function.
guardedNames.delete('name');

/** Code that reads a property: directly where no prototype has one of that name. */
export function readProperty(object: Value, key: string, offset: number): string {
  if (object.kind === 'any' && !guardedNames.has(key))
    return `${object.js}?.${property(key).replace(/^\./, '')}`;
  const js = object.kind === 'constant' ? literal(object.text) : object.js;
  const read = `get(${js}, ${literal(key)})`;
  // Django's views of a map are lists as long as the map.
  return mark(offset) + (mapViews.has(key) ? `r.chargeView(${read})` : read);
}

const mapViews = new Set(['items', 'keys', 'values']);

/** A value that may not be there. */
export function lookup(js: string): Value {
  return { kind: 'any', js, maybeMissing: true };
}
