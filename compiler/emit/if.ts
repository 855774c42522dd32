import type { If, Node } from '../../grammar/ast.ts';
import type { EmitContext } from './context.ts';
import { emitTest } from './expression.ts';
import { mark } from './writer.ts';

/**
 * `{% if %}`: a chain of JavaScript ifs. `and`, `or` and `not` become JavaScript conditions and make no
 * values. If all branches are plain text, the choice is an expression. It is appended in one statement with
 * its neighbours, and short texts beside it become part of it.
 *
 *     o += (truthy(item.active) ? "<li class=\"active\">" : "<li>");
 */
export function emitIf(ctx: EmitContext, node: If): void {
  const { writer } = ctx;
  const texts = textsOf(node);
  if (texts !== undefined) {
    const tests = node.branches.map(({ test }) => `${mark(test.start)}${emitTest(ctx, test)}`);
    writer.choice(tests, texts, node.start);
    return;
  }
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

/** The text of each branch and the text otherwise; undefined if a branch holds anything but text. */
function textsOf({ branches, otherwise = [] }: If): readonly string[] | undefined {
  const texts: string[] = [];
  for (const body of [...branches.map((branch) => branch.body), otherwise]) {
    const text = textOf(body);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts;
}

function textOf(nodes: readonly Node[]): string | undefined {
  if (nodes.length === 0) return '';
  const [only] = nodes;
  return nodes.length === 1 && only?.type === 'Text' ? only.value : undefined;
}
