import type { Block } from '../../grammar/ast.ts';
import { awaited, callHelper, type EmitContext } from './context.ts';
import { emitPassed } from './names.ts';
import { takeRebound } from './rebind.ts';
import { addOutlet } from './variant.ts';
import { literal, mark } from './writer.ts';

/**
 * `{% block name %}` is an outlet: it calls the most derived definition that the block table holds for the
 * outlet, with the variables visible here. emitUnit writes the definitions themselves, once per outlet.
 */
export function emitBlock(ctx: EmitContext, node: Block): void {
  const names = ctx.scope.visible();
  const outlet = { block: node.name, names, autoescape: ctx.autoescape };
  addOutlet(ctx.unit.outlets, outlet);
  const key = addOutlet(ctx.unit.ownOutlets, outlet);
  ctx.writer.append(callBlock(ctx, `B.get(${literal(key)})`, names), node.start);
}

/**
 * `{{ block.super }}`: the definition of the block one level up, with the variables visible here. It is an
 * outlet, too, but this template needs no definition for it.
 */
export function emitSuper(ctx: EmitContext, block: string, offset: number): string {
  const names = ctx.scope.visible();
  const outlet = { block, names, autoescape: ctx.autoescape, superOnly: true } as const;
  const key = addOutlet(ctx.unit.ownOutlets, outlet);
  return mark(offset) + callBlock(ctx, callHelper(ctx, 'superBlock', 'B', 'self', literal(key)), names);
}

function callBlock(ctx: EmitContext, definition: string, names: readonly string[]): string {
  const args = ['r', 'c', 'B', ...names.map((name) => emitPassed(ctx, name))];
  const call = `${definition}(${args.join(', ')})`;
  const taken = takeRebound(ctx, { visible: names, given: false });
  return taken === '' ? awaited(ctx, call) : `(${awaited(ctx, call)}${taken})`;
}
