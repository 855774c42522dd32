/** Components and slots. Slot content is a function in the scope of the caller; the slot tag calls it. */
import type { Blocks, Component, Fill, Node, Slot } from '../../grammar/ast.ts';
import { awaited, callHelper, constant, type EmitContext, freshName, helper, Scope } from './context.ts';
import { emitOperand } from './expression.ts';
import { emitTemplateCall, givenOf } from './reference.ts';
import { declareAssigned } from './scopes.ts';
import { literal, mark } from './writer.ts';

export function emitComponent(ctx: EmitContext, node: Component): void {
  const given = givenOf(ctx, node.bindings);
  const emit = (slots: string) => {
    const call = { given: [...given, { name: 'slots', js: slots }], seesCaller: false, isolated: false };
    ctx.writer.line(`o += ${emitTemplateCall(ctx, node.template, call, node.start)};`, node.start);
  };
  if (node.fills.length === 0) {
    emit(constant(ctx, newSlots(ctx), 'noSlots'));
    return;
  }
  ctx.writer.block(
    '{',
    () => {
      const slots = freshName(ctx, 'slots');
      ctx.writer.line(`const ${slots} = ${newSlots(ctx)};`, node.start);
      for (const fill of node.fills) emitFill(ctx, slots, fill);
      emit(slots);
    },
    '}',
    node.start,
  );
}

function emitFill(ctx: EmitContext, slots: string, fill: Fill): void {
  const isKnown = isShown(ctx, fill.body);
  const own = isKnown ? undefined : freshName(ctx, 'fill');
  const head = `${helper(ctx, 'fillSlot')}(${slots}, ${literal(fill.name)}, ${ctx.variant.async ? 'async ' : ''}(${own ?? ''}) => {`;
  ctx.writer.block(
    head,
    () => {
      const inner = { ...ctx, scope: new Scope(ctx.scope), fill: own };
      ctx.writer.line(ctx.variant.async ? 'let o = "", t;' : 'let o = "";');
      declareAssigned(inner, fill.body, ctx);
      ctx.emitBody(inner, fill.body);
      ctx.writer.line('return o;');
    },
    `}, ${isKnown});`,
    fill.start,
  );
}

/** Whether what nodes output is more than white space, whenever they are rendered. */
export function isShown({ surroundings }: EmitContext, nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.type === 'Text') return node.value.trim() !== '';
    if (node.type !== 'Component' && node.type !== 'Include') return false;
    const { template } = node;
    const isLiteral =
      template.kind === 'literal' || (template.kind === 'word' && template.lookup === undefined);
    return isLiteral && surroundings.showsText(template.name);
  });
}

function newSlots(ctx: EmitContext): string {
  return `new ${callHelper(ctx, 'Slots')}`;
}

/** `{% blocks tree %}`: the data names the snippets, so they are looked up while rendering. */
export function emitBlockTree(ctx: EmitContext, node: Blocks): void {
  const variant = { names: [], autoescape: ctx.autoescape, isolated: false, async: ctx.variant.async };
  const tree = emitOperand(ctx, node.tree);
  const js = callHelper(ctx, 'renderBlocks', 'r', 'c', tree, 'self', JSON.stringify(variant));
  ctx.writer.append(awaited(ctx, js), node.start);
}

/**
 * `{% slot name %}fallback{% endslot %}`: white space alone counts as no content. Content brings its own marks; those
 * around a fallback are written here.
 */
export function emitSlot(ctx: EmitContext, node: Slot): void {
  const slots = emitOperand(ctx, { type: 'Name', name: 'slots', start: node.start, end: node.end });
  const content = freshName(ctx, 'slot');
  const name = literal(node.name);
  const hasFallback = node.fallback.length > 0;
  const args = ['r', slots, name, ...(hasFallback ? ['true'] : [])];
  ctx.writer.block(
    '{',
    () => {
      ctx.writer.line(
        `const ${content} = ${mark(node.start)}${awaited(ctx, callHelper(ctx, 'slotContent', ...args))};`,
        node.start,
      );
      ctx.writer.line(`if (${content} !== "") o += ${content};`);
      if (hasFallback) {
        ctx.writer.block('else {', () => {
          ctx.writer.line(`o += ${callHelper(ctx, 'slotMark', slots, name, 'true')};`, node.start);
          const inner = { ...ctx, scope: new Scope(ctx.scope) };
          declareAssigned(inner, node.fallback, ctx);
          ctx.emitBody(inner, node.fallback);
          ctx.writer.line(`o += ${callHelper(ctx, 'slotMark', slots, name, 'false')};`, node.start);
        });
      }
    },
    '}',
    node.start,
  );
}
