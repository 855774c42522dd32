import type { If } from '../../grammar/ast.ts';
import type { EmitContext } from './context.ts';
import { emitTest } from './expression.ts';
import { mark } from './writer.ts';

/** `{% if %}`: a chain of JavaScript ifs. Tests are conditions, so nothing is made of `and`, `or` and `not`. */
export function emitIf(ctx: EmitContext, node: If): void {
  const { writer } = ctx;
  node.branches.forEach(({ test, body }, index) => {
    const keyword = index === 0 ? 'if' : 'else if';
    writer.block(
      `${keyword} (${mark(test.start)}${emitTest(ctx, test)}) {`,
      () => ctx.emitBody(ctx, body),
      '}',
      node.start,
    );
  });
  const { otherwise } = node;
  if (otherwise !== undefined) writer.block('else {', () => ctx.emitBody(ctx, otherwise));
}
