import type { IfChanged, Node } from '../../grammar/ast.ts';
import { isPlainLeaf, listBodies } from '../walk.ts';
import { callHelper, type EmitContext, emitInstance, freshName, memoryKey } from './context.ts';
import { emitOperand } from './expression.ts';
import { emitPassed } from './names.ts';
import { mark } from './writer.ts';

/**
 * `{% ifchanged %}`. The innermost loop around the tag keeps the last values, so that every run of the loop
 * starts anew. That loop may belong to a template that includes this one.
 */
export function emitIfChanged(ctx: EmitContext, node: IfChanged): void {
  const { writer } = ctx;
  const { otherwise } = node;
  const emitOtherwise = () => {
    if (otherwise !== undefined) writer.block('else {', () => ctx.emitBody(ctx, otherwise));
  };
  if (node.values.length > 0) {
    const values = node.values.map((value) => emitOperand(ctx, value)).join(', ');
    const head = `if (${mark(node.start)}${emitTest(ctx, node, values)}) {`;
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
      ctx.emitBody({ ...ctx, fill: undefined }, node.body);
      writer.line(`const ${content} = o; o = ${before};`);
      writer.line(`if (${emitTest(ctx, node, content)}) o += ${content};`);
      emitOtherwise();
    },
    '}',
    node.start,
  );
}

/**
 * Offsets of the tags that keep their last value in a variable of the loop with this body: those with one value
 * or none, in the function of the loop, and in no loop inside it.
 */
export function lastValuesIn(body: readonly Node[]): readonly number[] {
  return body.flatMap((node) => {
    if (isPlainLeaf(node)) return none;
    if (node.type === 'For') return node.empty === undefined ? [] : lastValuesIn(node.empty);
    if (node.type === 'Block' || node.type === 'Macro') return [];
    const inside = listBodies(node).flatMap(lastValuesIn);
    return node.type === 'IfChanged' && node.values.length <= 1 ? [node.start, ...inside] : inside;
  });
}

const none: readonly never[] = Object.freeze([]);

/** The tags that keep their values under a key instead. */
export function changedWithKeys(nodes: readonly Node[]): readonly IfChanged[] {
  return nodes.flatMap((node): readonly IfChanged[] => {
    if (isPlainLeaf(node)) return none;
    const inside = listBodies(node).flatMap(changedWithKeys);
    const local = new Set(node.type === 'For' && inside.length > 0 ? lastValuesIn(node.body) : []);
    const others = inside.filter(({ start }) => !local.has(start));
    return node.type === 'IfChanged' ? [node, ...others] : others;
  });
}

export function changedKey(ctx: EmitContext, node: IfChanged): string {
  return memoryKey(ctx, 'changed', node.start);
}

/** Code that compares and stores the values, in the memory of the loop in this template or of the caller's. */
function emitTest(ctx: EmitContext, node: IfChanged, values: string): string {
  const loop = ctx.scope.find('forloop');
  const seen = loop?.kind === 'loop' ? loop.seen.get(node.start) : undefined;
  if (seen !== undefined) return callHelper(ctx, 'isOther', seen, `${seen} = ${values}`);
  const key = changedKey(ctx, node);
  if (loop?.kind === 'loop')
    return callHelper(ctx, 'hasChanged', `(${loop.memory} ??= new Map())`, key, `[${values}]`);
  const forloop = emitPassed(ctx, 'forloop');
  return callHelper(ctx, 'hasChangedOutside', 'r', forloop, emitInstance(ctx), key, `[${values}]`);
}
