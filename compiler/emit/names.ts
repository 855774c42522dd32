/** Names and lookups: variables as locals or from the render context, `forloop`, properties of values. */
import type { Expression } from '../../grammar/ast.ts';
import { callHelper, type EmitContext, type LoopBinding, type Value } from './context.ts';
import { literal, mark, optionalProperty, property } from './writer.ts';

export function emitName(ctx: EmitContext, name: string): Value {
  const binding = ctx.scope.find(name);
  if (binding?.kind === 'loop') return mayBeMissing(loopObject(ctx, binding));
  if (binding !== undefined) return mayBeMissing(binding.js);
  if (ctx.variant.isolated && !ctx.inMacro && !ctx.options.globals.has(name))
    return mayBeMissing('undefined');
  return mayBeMissing(
    inheritedNames.has(name) ? callHelper(ctx, 'own', 'c', literal(name)) : `c${property(name)}`,
  );
}

/** Names that every object inherits. A plain read would find them in every render context. */
const inheritedNames = new Set([...Object.getOwnPropertyNames(Object.prototype), '__proto__']);

/** Code of a visible name as an argument to another function of generated code. */
export function emitPassed(ctx: EmitContext, name: string): string {
  const value = emitName(ctx, name);
  return value.kind === 'constant' ? literal(value.text) : value.js;
}

/** `forloop` as a value, for expressions that need the whole object. */
export function loopObject(ctx: EmitContext, { index, length, memory, parentJs }: LoopBinding): string {
  return callHelper(ctx, 'loopObject', index, length, parentJs(), `${memory} ??= new Map()`);
}

/** Fields of `forloop` that are computed where they are read. */
export const loopFields = new Map<string, (loop: LoopBinding) => Value>([
  ['counter', ({ index }) => ({ kind: 'integer', js: `(${index} + 1)` })],
  ['counter0', ({ index }) => ({ kind: 'integer', js: index })],
  ['revcounter', ({ index, length }) => ({ kind: 'integer', js: `(${length} - ${index})` })],
  ['revcounter0', ({ index, length }) => ({ kind: 'integer', js: `(${length} - ${index} - 1)` })],
  ['first', ({ index }) => ({ kind: 'boolean', js: `(${index} === 0)` })],
  ['last', ({ index, length }) => ({ kind: 'boolean', js: `(${index} === ${length} - 1)` })],
  ['length', ({ length }) => ({ kind: 'integer', js: length })],
]);

/** The loop of `forloop`, `forloop.parentloop` and so on; undefined if the loop is not in this template. */
export function findLoop(ctx: EmitContext, expression: Expression): LoopBinding | undefined {
  if (expression.type === 'Name' && expression.name === 'forloop') {
    const binding = ctx.scope.find('forloop');
    return binding?.kind === 'loop' ? binding : undefined;
  }
  if (expression.type === 'Member' && expression.key === 'parentloop')
    return findLoop(ctx, expression.object)?.parentLoop;
  return undefined;
}

/** Names that need a guarded lookup: properties of built-in prototypes, and names with a special meaning. */
const guardedNames = new Set([
  ...[Object, Array, String, Number, Boolean, Date, Function].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
  'items',
  '__proto__',
]);
// Only functions have this property, and no value in a template is a function.
guardedNames.delete('name');

/** Code that reads a property: directly if no built-in prototype has a property of that name. */
export function readProperty(ctx: EmitContext, object: Value, key: string, offset: number): string {
  if (object.kind === 'any' && !guardedNames.has(key) && !isPosition.test(key))
    return object.js + optionalProperty(key);
  const js = object.kind === 'constant' ? literal(object.text) : object.js;
  const read = callHelper(ctx, 'get', js, literal(key));
  // As in Django, these keys give lists as long as the map.
  return mark(offset) + (mapViews.has(key) ? `r.chargeView(${read})` : read);
}

/** Positions are guarded, too: in a text they count characters, also in a safe one. */
const isPosition = /^\d/;

const mapViews = new Set(['items', 'keys', 'values']);

/** A value that can be undefined because a name was not found. */
export function mayBeMissing(js: string): Value {
  return { kind: 'any', js, maybeMissing: true };
}
