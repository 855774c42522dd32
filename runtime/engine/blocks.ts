/**
 * `{% blocks tree %}` (Core, "Rendering of blocks"): each block is rendered by the snippet of its type,
 * like a component. The snippet gets the variables of the render, the parameters of the block, `block` (id
 * and type), and the child blocks as slots. A tree that is not a list, and a block whose snippet does not
 * exist, output nothing.
 */
import type { Linked } from '../../compiler/index.ts';
import { isMap } from '../filters/shared/values.ts';
import { extend } from './context.ts';
import { Slots } from './slots.ts';
import type { RenderState } from './state.ts';

type Output = string | Promise<string>;

/** Finds the linked code of a snippet; undefined if there is none. */
export type FindSnippet = (name: string) => Linked | undefined;

export function renderBlocks(state: RenderState, context: object, tree: unknown, find: FindSnippet): Output {
  if (!Array.isArray(tree)) return '';
  const parts = tree.map((block: unknown) => renderBlock(state, context, block, find));
  return parts.every(isText) ? parts.join('') : Promise.all(parts).then((texts) => texts.join(''));
}

function renderBlock(state: RenderState, context: object, block: unknown, find: FindSnippet): Output {
  if (!isMap(block) || typeof block['type'] !== 'string') return '';
  const { id, type, params, slots } = block;
  const linked = find(type);
  if (linked === undefined) return '';
  const parameters = isMap(params) ? Object.entries(params) : [];
  const inner = extend(state, context, [
    ...parameters,
    ['block', { id, type }],
    ['slots', slotsOf(state, context, slots, find)],
  ]);
  return linked.run(state, inner, linked.table);
}

function slotsOf(state: RenderState, context: object, lists: unknown, find: FindSnippet): Slots {
  const slots = new Slots();
  if (!isMap(lists)) return slots;
  for (const [name, list] of Object.entries(lists)) {
    Slots.fill(slots, name, () => renderBlocks(state, context, list, find), false);
  }
  return slots;
}

function isText(output: Output): output is string {
  return typeof output === 'string';
}
