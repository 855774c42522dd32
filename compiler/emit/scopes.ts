/** Opening scopes and assigning names in them: `{% with %}`, `{% set %}`, and functions for other tags. */
import type { SetVariable, With } from '../../grammar/ast.ts';
import { assignedNames, namesKeptInside, namesOfCycles } from '../scope.ts';
import { type EmitContext, freshName, type LocalBinding, Scope } from './context.ts';
import { emitStored } from './expression.ts';
import { emitName } from './names.ts';
import { literal, mark } from './writer.ts';

/** `{% with a=x b=y %}`: all values are read in the outer scope, as in Django. */
export function emitWith(ctx: EmitContext, node: With): void {
  const scope = new Scope(ctx.scope);
  ctx.writer.block(
    '{',
    () => {
      for (const { name, value, start } of node.bindings) {
        const js = freshName(ctx, name);
        ctx.writer.line(`let ${js} = ${mark(start)}${emitStored(ctx, value)};`, node.start);
        scope.bind(name, { kind: 'local', js });
      }
      const inner = { ...ctx, scope };
      declareAssigned(inner, node.body, ctx);
      ctx.emitBody(inner, node.body);
    },
    '}',
    node.start,
  );
}

export function emitSet(ctx: EmitContext, node: SetVariable): void {
  assign(ctx, node.name, `${mark(node.start)}${emitStored(ctx, node.value)}`, node.start);
}

/**
 * Declares the names that are assigned somewhere in a scope. Each starts with its outer value.
 * Names that the scope binds already (loop variables, parameters) need no declaration.
 */
export function declareAssigned(inner: EmitContext, nodes: With['body'], outer: EmitContext): void {
  if (!inner.unit.assigns) return;
  const names = assignedNames(nodes);
  if (names.length === 0) return;
  const kept = namesKeptInside(nodes);
  const ofCycles = namesOfCycles(nodes);
  for (const name of names) {
    const own = inner.scope.find(name);
    if (own?.kind === 'local' && own !== outer.scope.find(name)) continue;
    const before = emitName(outer, name);
    const js = freshName(inner, name);
    inner.writer.line(`let ${js} = ${before.kind === 'any' ? before.js : 'undefined'};`);
    const changesOuter = ofCycles.has(name);
    const keptMark = changesOuter && kept.has(name) ? freshName(inner, `kept_${name}`) : undefined;
    if (keptMark !== undefined) inner.writer.line(`let ${keptMark} = false;`);
    inner.scope.bind(name, { kind: 'local', js, changesOuter, keptMark });
  }
}

/** Assigns to a declared name, which from then on belongs to the scope of the tag. */
export function assign(ctx: EmitContext, name: string, js: string, offset: number): void {
  const { keptMark } = assignCycle(ctx, name, js, offset);
  if (keptMark !== undefined) ctx.writer.line(`${keptMark} = true;`, offset);
}

/** Assigns to a declared name. Every assigned name is declared at the head of its scope. */
export function assignCycle(ctx: EmitContext, name: string, js: string, offset: number): LocalBinding {
  const binding = ctx.scope.find(name);
  if (binding?.kind !== 'local')
    throw new Error(`The name ${literal(name)} is assigned but was not declared`);
  ctx.writer.line(`${binding.js} = ${js};`, offset);
  return binding;
}
