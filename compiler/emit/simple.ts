/** Tags that only wrap or print: autoescape, filter, spaceless, firstof, now. */
import type {
  Autoescape,
  Expression,
  FilterBlock,
  FirstOf,
  Node,
  Now,
  Spaceless,
} from '../../grammar/ast.ts';
import { type EmitContext, freshName, Scope } from './context.ts';
import { emitOperand, emitPlain, emitValue } from './expression.ts';
import { assign, declareAssigned } from './scopes.ts';
import { mark } from './writer.ts';

export function emitAutoescape(ctx: EmitContext, node: Autoescape): void {
  ctx.emitBody({ ...ctx, autoescape: node.on }, node.body);
}

/** `{% filter f|g %}`: the body is rendered aside and goes through the chain as safe text. */
export function emitFilterBlock(ctx: EmitContext, node: FilterBlock): void {
  // Escaping has been done inside; what the filters return is printed as it is.
  capture(ctx, node, new Scope(ctx.scope), (captured) => emitPlain({ ...ctx, captured }, node.value));
}

export function emitSpaceless(ctx: EmitContext, node: Spaceless): void {
  capture(ctx, node, ctx.scope, (captured) => `spaceless(${captured})`);
}

/** Renders a body into a variable of its own and appends what `finish` makes of it. */
function capture(
  ctx: EmitContext,
  node: { readonly body: readonly Node[]; readonly start: number },
  scope: Scope,
  finish: (captured: string) => string,
): void {
  const before = freshName(ctx, 'before');
  const captured = freshName(ctx, 'captured');
  ctx.writer.block(
    '{',
    () => {
      ctx.writer.line(`const ${before} = o; o = "";`, node.start);
      const inner = { ...ctx, scope };
      if (scope !== ctx.scope) declareAssigned(inner, node.body, ctx);
      ctx.emitBody(inner, node.body);
      ctx.writer.line(`const ${captured} = o;`);
      ctx.writer.line(`o = ${before} + ${mark(node.start)}${finish(captured)};`, node.start);
    },
    '}',
    node.start,
  );
}

/** `{% firstof a b "c" as x %}`: the first value that is true, escaped, or nothing. */
export function emitFirstOf(ctx: EmitContext, node: FirstOf): void {
  if (node.as !== undefined) {
    assign(ctx, node.as, `firstTrue(${operands(ctx, node.values)})`, node.start);
    return;
  }
  const print = ctx.autoescape ? 'escape' : 'text';
  ctx.writer.line(`o += ${mark(node.start)}${print}(firstTrue(${operands(ctx, node.values)}));`, node.start);
}

function operands(ctx: EmitContext, values: readonly Expression[]): string {
  return values.map((value) => emitValue(ctx, value, 'none')).join(', ');
}

/** `{% now "Y-m-d" as x %}`: the date filter on the time of the render. */
export function emitNow(ctx: EmitContext, node: Now): void {
  const js = `${mark(node.start)}r.now(${emitOperand(ctx, node.format)})`;
  if (node.as !== undefined) assign(ctx, node.as, js, node.start);
  else ctx.writer.line(`o += ${ctx.autoescape ? 'escape' : 'text'}(${js});`, node.start);
}
