/** Three-way merging of values: texts by line, block trees by block, lists of IDs as sets with an order. */
import { isDeepStrictEqual } from 'node:util';
import { diff3Merge } from 'node-diff3';
import { mergeOrder } from './merge-order.ts';

export interface Merged {
  readonly value: unknown;
  /** Whether both sides have changed the same to different values; `value` then has that of `mine`. */
  readonly conflict: boolean;
  /** The block of a tree with the conflict, if it is within one. */
  readonly block?: string | undefined;
}

/** A value as it was for both sides, and as each of them has it. A side that has none has null or undefined. */
export interface Sides {
  readonly base: unknown;
  readonly mine: unknown;
  readonly live: unknown;
}

/** Merges a field. What only one side has changed counts. */
export function mergeValue(sides: Sides): Merged {
  const { base = null, mine = null, live = null } = sides;
  if (isDeepStrictEqual(mine, live) || isDeepStrictEqual(live, base)) return agreed(mine);
  if (isDeepStrictEqual(mine, base)) return agreed(live);
  if (typeof base === 'string' && typeof mine === 'string' && typeof live === 'string')
    return mergeText(base, mine, live);
  if (isTree(base) && isTree(mine) && isTree(live)) return mergeTree({ base, mine, live });
  if (isIdList(base) && isIdList(mine) && isIdList(live)) return mergeIds({ base, mine, live });
  return { value: mine, conflict: true };
}

function agreed(value: unknown): Merged {
  return { value, conflict: false };
}

function mergeText(base: string, mine: string, live: string): Merged {
  const lines = (text: string) => text.split('\n');
  const regions = diff3Merge(lines(mine), lines(base), lines(live), {
    excludeFalseConflicts: true,
    stringSeparator: /\n/,
  });
  const merged = regions.flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? []);
  return { value: merged.join('\n'), conflict: regions.some(({ conflict }) => conflict !== undefined) };
}

type Ids = readonly (number | string)[];

function isIdList(value: unknown): value is Ids {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === 'number' || typeof entry === 'string')
  );
}

function mergeIds(sides: { readonly base: Ids; readonly mine: Ids; readonly live: Ids }): Merged {
  const { order, conflict } = mergeOrder(sides);
  return { value: order, conflict };
}

/** A block as it is stored; the rest of its fields are values, but for `slots`. */
type Block = Readonly<Record<string, unknown>> & { readonly id: string };
type Tree = readonly Block[];

function isTree(value: unknown): value is Tree {
  return Array.isArray(value) && value.every(isBlock);
}

function isBlock(value: unknown): value is Block {
  if (typeof value !== 'object' || value === null || typeof Reflect.get(value, 'id') !== 'string')
    return false;
  return 'global' in value || ('type' in value && 'params' in value);
}

interface TreeSides {
  readonly base: Tree;
  readonly mine: Tree;
  readonly live: Tree;
}

function mergeTree(sides: TreeSides): Merged {
  const merged = mergeBlocks(sides);
  // A block that both sides have moved to different places would be there twice.
  return hasTwice(merged.value) ? { value: sides.mine, conflict: true } : merged;
}

function mergeBlocks({ base, mine, live }: TreeSides): Merged & { readonly value: Tree } {
  const [ofBase, ofMine, ofLive] = [base, mine, live].map(
    (tree) => new Map(tree.map((block) => [block.id, block])),
  );
  const idsOf = (tree: Tree) => tree.map(({ id }) => id);
  const { order, conflict } = mergeOrder({ base: idsOf(base), mine: idsOf(mine), live: idsOf(live) });
  const blocks: Block[] = [];
  let hasConflict = conflict;
  let block: string | undefined;
  const kept = new Set(order);
  for (const id of new Set([...order, ...idsOf(base)])) {
    const merged = mergeBlock({ base: ofBase?.get(id), mine: ofMine?.get(id), live: ofLive?.get(id) });
    hasConflict ||= merged.conflict;
    if (merged.conflict) block ??= merged.at ?? id;
    if (kept.has(id) && merged.block !== undefined) blocks.push(merged.block);
  }
  return { value: blocks, conflict: hasConflict, block };
}

/** A block that one side has deleted and the other one changed is a conflict. */
function mergeBlock(sides: {
  readonly base: Block | undefined;
  readonly mine: Block | undefined;
  readonly live: Block | undefined;
}): { readonly block: Block | undefined; readonly conflict: boolean; readonly at?: string | undefined } {
  const { base, mine, live } = sides;
  if (mine === undefined || live === undefined) {
    const rest = mine ?? live;
    const isChanged = base !== undefined && rest !== undefined && !isDeepStrictEqual(rest, base);
    return { block: base === undefined || isChanged ? rest : undefined, conflict: isChanged };
  }
  const { id } = mine;
  if (base === undefined) return { block: mine, conflict: !isDeepStrictEqual(mine, live) };
  const names = new Set([base, mine, live].flatMap((block) => Object.keys(block)));
  const entries: (readonly [string, unknown])[] = [];
  let conflict = false;
  let at: string | undefined;
  for (const name of names) {
    const merged = mergePart(name, { base: base[name], mine: mine[name], live: live[name] });
    conflict ||= merged.conflict;
    at ??= merged.block;
    if (merged.value !== undefined) entries.push([name, merged.value]);
  }
  return { block: { ...Object.fromEntries(entries), id }, conflict, at };
}

/** A part of a block: slots and values one by one, all others as a whole. */
function mergePart(name: string, sides: Sides): Merged {
  const parts = [sides.base ?? {}, sides.mine ?? {}, sides.live ?? {}];
  if ((name !== 'slots' && name !== 'params') || !parts.every(isRecord)) return mergeValue(sides);
  const [base = {}, mine = {}, live = {}] = parts;
  const merged: Record<string, unknown> = {};
  let conflict = false;
  let block: string | undefined;
  for (const key of new Set(parts.flatMap((part) => Object.keys(part)))) {
    const none = name === 'slots' ? [] : undefined;
    const one = mergeValue({ base: base[key] ?? none, mine: mine[key] ?? none, live: live[key] ?? none });
    conflict ||= one.conflict;
    block ??= one.block;
    if (one.value !== undefined && !(name === 'slots' && isEmpty(one.value))) merged[key] = one.value;
  }
  const isGone = name === 'slots' && isEmpty(Object.keys(merged));
  return { value: isGone ? undefined : merged, conflict, block };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasTwice(tree: Tree): boolean {
  const seen = new Set<string>();
  const visit = (blocks: Tree): boolean =>
    blocks.some(({ id, slots }) => {
      if (seen.has(id)) return true;
      seen.add(id);
      return isRecord(slots) && Object.values(slots).some((list) => isTree(list) && visit(list));
    });
  return visit(tree);
}
