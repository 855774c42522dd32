/**
 * Components and slots. Slot content is a function in the scope of the caller, which the slot tag calls. If nothing
 * else than the component reads its slots, they are given in a list, and what every render reads as a text.
 */
import type { Blocks, Component, Fill, Node, Slot } from '../../grammar/ast.ts';
import { constantName } from '../constant-name.ts';
import type { ListedSlot } from '../facts.ts';
import { namesOfCycles } from '../scope.ts';
import { showsText } from '../visible-text.ts';
import {
  awaited,
  callHelper,
  constant,
  contentOfSlot,
  type EmitContext,
  freshName,
  helper,
  Scope,
} from './context.ts';
import { emitOperand } from './expression.ts';
import { emitTemplateCall, listPassedArguments, type TemplateCall } from './reference.ts';
import { declareAssigned } from './scopes.ts';
import { literal, mark } from './writer.ts';

export function emitComponent(ctx: EmitContext, node: Component): void {
  const listed = listedSlotsOf(ctx, node);
  const given = listPassedArguments(ctx, node.bindings);
  const emit = (slots: string, how?: Pick<TemplateCall, 'givesList'>) => {
    const all = [...given, { name: 'slots', js: slots }];
    const call = { given: all, seesCaller: false, isolated: false, ...how };
    ctx.writer.line(`o += ${emitTemplateCall(ctx, node.template, call, node.start)};`, node.start);
  };
  if (listed.length > 0) {
    emitInBlock(ctx, node, () => {
      const contents = listed.map(({ name, isCertain }) => {
        const fill = node.fills.find((one) => one.name === name);
        return fill === undefined ? '""' : emitListed(ctx, fill, isCertain);
      });
      emit(`[${contents.join(', ')}]`, { givesList: true });
    });
  } else if (node.fills.length === 0) emit(constant(ctx, `new ${callHelper(ctx, 'Slots', '[]')}`, 'noSlots'));
  else {
    emitInBlock(ctx, node, () => {
      const slots = freshName(ctx, 'slots');
      const head = `const ${slots} = new ${helper(ctx, 'Slots')}([`;
      const emitFills = () => {
        for (const fill of node.fills) emitFill(ctx, fill);
      };
      ctx.writer.block(head, emitFills, ']);', node.start);
      emit(slots);
    });
  }
}

function emitInBlock(ctx: EmitContext, { start }: Component, emit: () => void): void {
  ctx.writer.block('{', emit, '}', start);
}

/** The slots of the component if they can be given in a list; empty if they cannot. */
function listedSlotsOf({ surroundings }: EmitContext, { template, fills }: Component): readonly ListedSlot[] {
  const name = constantName(template);
  if (name === undefined || surroundings.reads(name) === 'all') return [];
  // Such a cycle may change a variable that the call passes.
  if (fills.some(({ body }) => namesOfCycles(body).size > 0)) return [];
  return surroundings.listedSlots(name);
}

/** The entry of a list of slots: code of a text, or the name of a variable with a text or a function. */
function emitListed(ctx: EmitContext, fill: Fill, isCertain: boolean): string {
  const text = constantText(fill.body);
  if (text !== undefined) return literal(text.trim() === '' ? '' : text);
  const isKnown = isShown(ctx, fill.body);
  const name = freshName(ctx, 'fill');
  const flag = isKnown ? undefined : freshName(ctx, 'shown');
  const emitContent = (result: string) => {
    const declared = !isCertain && ctx.variant.async ? ['o = ""', 't'] : ['o = ""'];
    ctx.writer.line(`let ${[...declared, ...(flag === undefined ? [] : [`${flag} = false`])].join(', ')};`);
    emitFillBody(ctx, fill, flag);
    const visible = flag === undefined ? 'o' : `${flag} ? o : ${callHelper(ctx, 'unlessBlank', 'o')}`;
    ctx.writer.line(`${result} ${visible};`);
  };
  if (isCertain) {
    ctx.writer.line(`let ${name};`);
    ctx.writer.block('{', () => emitContent(`${name} =`), '}', fill.start);
  } else {
    const head = `const ${name} = ${ctx.variant.async ? 'async ' : ''}() => {`;
    ctx.writer.block(head, () => emitContent('return'), '};', fill.start);
  }
  return name;
}

/** The content if it is text of the author alone. */
function constantText(nodes: readonly Node[]): string | undefined {
  const texts = nodes.map((node) => (node.type === 'Text' ? node.value : undefined));
  return texts.includes(undefined) ? undefined : texts.join('');
}

/** Writes the content of a slot as a function. */
function emitFill(ctx: EmitContext, fill: Fill): void {
  const isKnown = isShown(ctx, fill.body);
  const own = isKnown ? undefined : freshName(ctx, 'fill');
  const isAsync = ctx.variant.async;
  const head = `new ${helper(ctx, 'Fill')}(${literal(fill.name)}, ${isAsync ? 'async ' : ''}(${own ?? ''}) => {`;
  const emitContent = () => {
    ctx.writer.line(isAsync ? 'let o = "", t;' : 'let o = "";');
    emitFillBody(ctx, fill, own && `${own}.isShown`);
    ctx.writer.line('return o;');
  };
  ctx.writer.block(head, emitContent, `}, ${isKnown}),`, fill.start);
}

/** @param flag JavaScript of the variable that is set when the content turns out to be more than white space */
function emitFillBody(ctx: EmitContext, { body }: Fill, flag: string | undefined): void {
  const inner = { ...ctx, scope: new Scope(ctx.scope), fill: flag };
  declareAssigned(inner, body, ctx);
  ctx.emitBody(inner, body);
}

/** Whether what nodes output is more than white space, whenever they are rendered. */
export function isShown({ surroundings }: EmitContext, nodes: readonly Node[]): boolean {
  return showsText(nodes, (name) => surroundings.showsText(name));
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
  const listed = contentOfSlot(ctx, node.name);
  if (listed !== undefined) emitContentOr(ctx, node, listed, () => emitFallback(ctx, node));
  else {
    const slots = emitOperand(ctx, { type: 'Name', name: 'slots', start: node.start, end: node.end });
    const name = literal(node.name);
    const args = ['r', slots, name, ...(node.fallback.length > 0 ? ['true'] : [])];
    const content = mark(node.start) + awaited(ctx, callHelper(ctx, 'slotContent', ...args));
    emitContentOr(ctx, node, content, () => {
      ctx.writer.line(`o += ${callHelper(ctx, 'slotMark', slots, name, 'true')};`, node.start);
      emitFallback(ctx, node);
      ctx.writer.line(`o += ${callHelper(ctx, 'slotMark', slots, name, 'false')};`, node.start);
    });
  }
}

function emitContentOr(ctx: EmitContext, node: Slot, js: string, emitOtherwise: () => void): void {
  const content = freshName(ctx, 'slot');
  const emit = () => {
    ctx.writer.line(`const ${content} = ${js};`, node.start);
    ctx.writer.line(`if (${content} !== "") o += ${content};`);
    if (node.fallback.length > 0) ctx.writer.block('else {', emitOtherwise);
  };
  ctx.writer.block('{', emit, '}', node.start);
}

function emitFallback(ctx: EmitContext, { fallback }: Slot): void {
  const inner = { ...ctx, scope: new Scope(ctx.scope) };
  declareAssigned(inner, fallback, ctx);
  ctx.emitBody(inner, fallback);
}
