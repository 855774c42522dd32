/** Text and `{{ }}`: what appends to the output. */
import type { Output, Text } from '../../grammar/ast.ts';
import type { EmitContext } from './context.ts';
import { emitOutput } from './expression.ts';
import { literal, mark } from './writer.ts';

export function emitText(ctx: EmitContext, node: Text): void {
  if (node.value !== '') ctx.writer.line(`o += ${literal(node.value)};`, node.start);
}

export function emitOutputTag(ctx: EmitContext, node: Output): void {
  ctx.writer.line(`o += ${mark(node.start)}${emitOutput(ctx, node.value)};`, node.start);
}
