/** Text and `{{ }}`: nodes that append to the output. */
import type { Output, Text } from '../../grammar/ast.ts';
import type { EmitContext } from './context.ts';
import { constantOutput, emitOutput } from './expression.ts';

export function emitText(ctx: EmitContext, node: Text): void {
  if (node.value !== '') ctx.writer.text(node.value, node.start);
}

export function emitOutputTag(ctx: EmitContext, node: Output): void {
  const constant = constantOutput(node.value);
  if (constant !== undefined) ctx.writer.text(constant, node.start);
  else ctx.writer.append(emitOutput(ctx, node.value), node.start);
}
