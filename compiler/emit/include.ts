import type { Include, Node } from '../../grammar/ast.ts';
import { type EmitContext, memoryKey } from './context.ts';
import { emitTemplateCall, entersInstance, listPassedArguments } from './reference.ts';

/** Whether the code for the tag needs to know in which instance of this template it runs. */
export function needsInstance(ctx: EmitContext, node: Node): boolean {
  return node.type === 'IfChanged' || (node.type === 'Include' && entersInstance(ctx, node.template));
}

/** `{% include "name" with a=1 only %}`: a plain call with the variables that the other template reads. */
export function emitInclude(ctx: EmitContext, node: Include): void {
  const given = listPassedArguments(ctx, node.bindings);
  const tag = entersInstance(ctx, node.template) ? memoryKey(ctx, 'include', node.start) : undefined;
  const call = { given, seesCaller: !node.only, isolated: node.only, tag };
  ctx.writer.append(emitTemplateCall(ctx, node.template, call, node.start), node.start);
}
