import type { Block } from '../../grammar/ast.ts';
import { awaited, type EmitContext, type Site, siteKey } from './context.ts';
import { emitPassed } from './names.ts';
import { literal } from './writer.ts';

/**
 * `{% block name %}` outputs whatever the block table holds for this place: the most derived definition, called
 * with the variables that are visible here. The definitions themselves are written by emitUnit, once per place.
 */
export function emitBlock(ctx: EmitContext, node: Block): void {
  const names = ctx.scope.visible();
  const site: Site = { block: node.name, names, autoescape: ctx.autoescape };
  const key = siteKey(site);
  ctx.unit.sites.set(key, site);
  const args = ['r', 'c', 'B', '0', ...names.map((name) => emitPassed(ctx, name))];
  ctx.writer.append(awaited(ctx, `B.get(${literal(key)})[0](${args.join(', ')})`), node.start);
}
