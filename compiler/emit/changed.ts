import type { IfChanged } from '../../grammar/ast.ts';
import { callHelper, constant, type EmitContext, freshName } from './context.ts';
import { emitOperand } from './expression.ts';
import { mark } from './writer.ts';

/**
 * `{% ifchanged %}`. The innermost loop around the tag keeps the last values, so that every run of the loop
 * starts anew. That loop may belong to a template that includes this one.
 */
export function emitIfChanged(ctx: EmitContext, node: IfChanged): void {
  const { writer } = ctx;
  const key = changedKey(ctx, node);
  const memory = memoryOf(ctx);
  const { otherwise } = node;
  const emitOtherwise = () => {
    if (otherwise !== undefined) writer.block('else {', () => ctx.emitBody(ctx, otherwise));
  };
  if (node.values.length > 0) {
    const values = node.values.map((value) => emitOperand(ctx, value)).join(', ');
    const head = `if (${mark(node.start)}${callHelper(ctx, 'hasChanged', memory, key, `[${values}]`)}) {`;
    writer.block(head, () => ctx.emitBody(ctx, node.body), '}', node.start);
    emitOtherwise();
    return;
  }
  const before = freshName(ctx, 'before');
  const content = freshName(ctx, 'content');
  writer.block(
    '{',
    () => {
      writer.line(`const ${before} = o; o = "";`, node.start);
      ctx.emitBody(ctx, node.body);
      writer.line(`const ${content} = o; o = ${before};`);
      const changed = callHelper(ctx, 'hasChanged', memory, key, `[${content}]`);
      writer.line(`if (${changed}) o += ${content};`);
      emitOtherwise();
    },
    '}',
    node.start,
  );
}

export function changedKey(ctx: EmitContext, node: IfChanged): string {
  return constant(ctx, `{ changed: ${node.start} }`, 'changed');
}

function memoryOf(ctx: EmitContext): string {
  const loop = ctx.scope.find('forloop');
  if (loop?.kind === 'loop') return `(${loop.memory} ??= new Map())`;
  return loop === undefined ? 'r.memory' : callHelper(ctx, 'loopMemory', loop.js, 'r');
}
