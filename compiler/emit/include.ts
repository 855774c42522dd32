import type { Include } from '../../grammar/ast.ts';
import type { EmitContext } from './context.ts';
import { emitTemplateCall, givenOf } from './reference.ts';

/** `{% include "name" with a=1 only %}`: a plain call with the variables that the other template reads. */
export function emitInclude(ctx: EmitContext, node: Include): void {
  const call = { given: givenOf(ctx, node.bindings), seesCaller: !node.only, isolated: node.only };
  ctx.writer.append(emitTemplateCall(ctx, node.template, call, node.start), node.start);
}
