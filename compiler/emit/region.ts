import type { Region } from '../../grammar/ast.ts';
import { readRegionDefinition } from '../region-definition.ts';
import { callHelper, type EmitContext, freshName } from './context.ts';
import { literal } from './writer.ts';

/**
 * `{% region name %}default{% endregion %}`: the words of the page, else the default.
 *
 *     const region_1 = regionValue(r, "intro", "text");
 *     if (region_1 !== undefined) o += escape(region_1);
 *     else { o += "default"; }
 *
 * A tag that defines no region shows its default.
 */
export function emitRegion(ctx: EmitContext, node: Region): void {
  const { definition } = readRegionDefinition(node);
  if (definition === undefined) {
    ctx.emitBody(ctx, node.body);
    return;
  }
  const name = literal(definition.name);
  const mark = (isOpening: boolean) => {
    ctx.writer.line(`o += ${callHelper(ctx, 'regionMark', 'r', name, String(isOpening))};`, node.start);
  };
  const value = freshName(ctx, 'region');
  const emit = () => {
    const read = callHelper(ctx, 'regionValue', 'r', name, literal(definition.type));
    ctx.writer.line(`const ${value} = ${read};`, node.start);
    mark(true);
    const printed = callHelper(ctx, ctx.autoescape ? 'escape' : 'text', value);
    ctx.writer.line(`if (${value} !== undefined) o += ${printed};`, node.start);
    ctx.writer.block('else {', () => ctx.emitBody(ctx, node.body), '}', node.start);
    mark(false);
  };
  ctx.writer.block('{', emit, '}', node.start);
}
