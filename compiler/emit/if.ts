import type { If, Node } from '../../grammar/ast.ts';
import type { EmitContext } from './context.ts';
import { emitTest } from './expression.ts';
import { literal, mark } from './writer.ts';

/**
 * `{% if %}`: a chain of JavaScript ifs. `and`, `or` and `not` become JavaScript conditions and make no
 * values. If all branches are plain text, the choice is an expression. It is appended in one statement with
 * its neighbours.
 *
 *     o += "<li" + (truthy(item.active) ? " class=\"active\"" : "") + ">";
 */
export function emitIf(ctx: EmitContext, node: If): void {
  const { writer } = ctx;
  const choice = textChoice(ctx, node);
  if (choice !== undefined) {
    writer.append(choice, node.start);
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

/** Code of the chosen text; undefined if a branch holds anything but text. */
function textChoice(ctx: EmitContext, { branches, otherwise }: If): string | undefined {
  const last = textOf(otherwise ?? []);
  const texts = branches.map(({ body }) => textOf(body));
  if (last === undefined || texts.includes(undefined)) return undefined;
  const choices = branches.map(
    ({ test }, index) => `${mark(test.start)}${emitTest(ctx, test)} ? ${literal(texts[index] ?? '')} : `,
  );
  return `(${choices.join('')}${literal(last)})`;
}

function textOf(nodes: readonly Node[]): string | undefined {
  if (nodes.length === 0) return '';
  const [only] = nodes;
  return nodes.length === 1 && only?.type === 'Text' ? only.value : undefined;
}
