import type { IfChanged } from '../../grammar/ast.ts';
import { callHelper, type EmitContext, freshName, instanceOf, memoryKey } from './context.ts';
import { emitOperand } from './expression.ts';
import { emitPassed } from './names.ts';
import { mark } from './writer.ts';

/**
 * `{% ifchanged %}`. The innermost loop around the tag keeps the last values, so that every run of the loop
 * starts anew. That loop may belong to a template that includes this one.
 */
export function emitIfChanged(ctx: EmitContext, node: IfChanged): void {
  const { writer } = ctx;
  const key = changedKey(ctx, node);
  const { otherwise } = node;
  const emitOtherwise = () => {
    if (otherwise !== undefined) writer.block('else {', () => ctx.emitBody(ctx, otherwise));
  };
  if (node.values.length > 0) {
    const values = node.values.map((value) => emitOperand(ctx, value)).join(', ');
    const head = `if (${mark(node.start)}${emitTest(ctx, key, values)}) {`;
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
      writer.line(`if (${emitTest(ctx, key, content)}) o += ${content};`);
      emitOtherwise();
    },
    '}',
    node.start,
  );
}

export function changedKey(ctx: EmitContext, node: IfChanged): string {
  return memoryKey(ctx, 'changed', node.start);
}

/** Code that compares and stores the values, in the memory of the loop in this template or of the caller's. */
function emitTest(ctx: EmitContext, key: string, values: string): string {
  const loop = ctx.scope.find('forloop');
  if (loop?.kind === 'loop')
    return callHelper(ctx, 'hasChanged', `(${loop.memory} ??= new Map())`, key, `[${values}]`);
  const forloop = emitPassed(ctx, 'forloop');
  return callHelper(ctx, 'hasChangedOutside', 'r', forloop, instanceOf(ctx), key, `[${values}]`);
}
