/**
 * Block trees as the API has them (Core, "Block tree"), and changes of them. Every change makes a new tree and
 * keeps the lists and blocks that it does not touch, so that an undo step costs little memory.
 */

/** A block of a type. */
export interface TypedBlock {
  readonly id: string;
  readonly type: string;
  readonly params: Values;
  /** Lists of blocks by slot; only slots with blocks. */
  readonly slots?: Readonly<Record<string, BlockTree>>;
}

/** A place where a global block stands. */
export interface GlobalReference {
  readonly id: string;
  readonly global: number;
  /** Values by the ID of a block inside of the global block; null clears a value. */
  readonly overrides?: Readonly<Record<string, Values>>;
}

export type Values = Readonly<Record<string, unknown>>;
export type Block = TypedBlock | GlobalReference;
export type BlockTree = readonly Block[];

/** A list of blocks: that of a tree, or a slot of a block. */
export interface List {
  /** ID of the block that has the slot; null for the tree itself. */
  readonly parent: string | null;
  /** Name of the slot; empty for the tree itself. */
  readonly slot: string;
}

/** A position in a list. */
export interface Place extends List {
  readonly index: number;
}

export const rootList: List = { parent: null, slot: '' };

/** A tree from the API. Type boundary: the server has checked it; anything else counts as empty. */
export function toBlockTree(value: unknown): BlockTree {
  return Array.isArray(value) ? (value as BlockTree) : [];
}

export function isReference(block: Block): block is GlobalReference {
  return 'global' in block;
}

/** The lists inside of a block by slot. */
export function listSlots(block: Block): readonly (readonly [string, BlockTree])[] {
  return isReference(block) || block.slots === undefined ? [] : Object.entries(block.slots);
}

/** Every block of a tree in document order. */
export function* blocksIn(tree: BlockTree): Generator<Block> {
  for (const block of tree) {
    yield block;
    for (const [, list] of listSlots(block)) yield* blocksIn(list);
  }
}

export function findBlock(tree: BlockTree, id: string): Block | undefined {
  for (const block of blocksIn(tree)) if (block.id === id) return block;
  return undefined;
}

/** The blocks around a block, outermost first, itself last; empty if there is none with this ID. */
export function pathTo(tree: BlockTree, id: string): readonly Block[] {
  for (const block of tree) {
    if (block.id === id) return [block];
    for (const [, list] of listSlots(block)) {
      const inner = pathTo(list, id);
      if (inner.length > 0) return [block, ...inner];
    }
  }
  return [];
}

/** Where a block stands. */
export function findPlace(tree: BlockTree, id: string, list: List = rootList): Place | undefined {
  for (const [index, block] of tree.entries()) {
    if (block.id === id) return { ...list, index };
    for (const [slot, inner] of listSlots(block)) {
      const found = findPlace(inner, id, { parent: block.id, slot });
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The blocks of a list; empty if the block has none in that slot. */
export function listAt(tree: BlockTree, { parent, slot }: List): BlockTree {
  if (parent === null) return tree;
  const block = findBlock(tree, parent);
  return block === undefined || isReference(block) ? [] : (block.slots?.[slot] ?? []);
}

/** The block at a path of an error, such as `0.slots.main.1`; undefined if there is none. */
export function blockAt(tree: BlockTree, path: string): Block | undefined {
  const [first = '', ...rest] = path.split('.');
  const block = tree[Number(first)];
  if (block === undefined || rest[0] !== 'slots' || isReference(block)) return block;
  const [, slot = '', ...inner] = rest;
  return inner.length === 0 ? block : (blockAt(block.slots?.[slot] ?? [], inner.join('.')) ?? block);
}

/** Changes one block. */
export function changeBlock(tree: BlockTree, id: string, change: (block: Block) => Block): BlockTree {
  let isFound = false;
  const changed = tree.map((block) => {
    if (isFound) return block;
    if (block.id === id) {
      isFound = true;
      return change(block);
    }
    for (const [slot, list] of listSlots(block)) {
      const inner = changeBlock(list, id, change);
      if (inner === list) continue;
      isFound = true;
      return withSlot(block, slot, inner);
    }
    return block;
  });
  return isFound ? changed : tree;
}

/** Puts blocks into a list. An index beyond its end appends. */
export function insertBlocks(tree: BlockTree, place: Place, blocks: BlockTree): BlockTree {
  const into = (list: BlockTree) => list.toSpliced(Math.max(0, place.index), 0, ...blocks);
  if (place.parent === null) return into(tree);
  return changeBlock(tree, place.parent, (block) =>
    isReference(block) ? block : withSlot(block, place.slot, into(block.slots?.[place.slot] ?? [])),
  );
}

/** The tree without some blocks and what is inside of them. */
export function removeBlocks(tree: BlockTree, ids: ReadonlySet<string>): BlockTree {
  let isChanged = false;
  const kept = tree.flatMap((block) => {
    if (ids.has(block.id)) {
      isChanged = true;
      return [];
    }
    let next = block;
    for (const [slot, list] of listSlots(block)) {
      const inner = removeBlocks(list, ids);
      if (inner !== list) next = withSlot(next, slot, inner);
    }
    isChanged ||= next !== block;
    return [next];
  });
  return isChanged ? kept : tree;
}

/**
 * Moves blocks to a place, in document order.
 *
 * @param place its index counts the blocks of the list as they are before the move
 */
export function moveBlocks(tree: BlockTree, ids: ReadonlySet<string>, place: Place): BlockTree {
  const moved = outermost(tree, ids);
  const isInside = place.parent !== null && pathTo(tree, place.parent).some(({ id }) => ids.has(id));
  if (moved.length === 0 || isInside) return tree;
  const before = listAt(tree, place).slice(0, place.index);
  const index = before.filter(({ id }) => !ids.has(id)).length;
  const next = insertBlocks(removeBlocks(tree, ids), { ...place, index }, moved);
  return sameOrder(tree, next) ? tree : next;
}

/** The chosen blocks that are not inside of another chosen one, in document order. */
export function outermost(tree: BlockTree, ids: ReadonlySet<string>): BlockTree {
  return tree.flatMap((block) =>
    ids.has(block.id) ? [block] : listSlots(block).flatMap(([, list]) => outermost(list, ids)),
  );
}

/** Levels of blocks in a tree; 0 for an empty one. */
export function levelsIn(tree: BlockTree): number {
  return tree.reduce((levels, block) => {
    const inner = listSlots(block).map(([, list]) => levelsIn(list));
    return Math.max(levels, 1 + Math.max(0, ...inner));
  }, 0);
}

/** Copies blocks with new IDs. */
export function withNewIds(blocks: BlockTree): BlockTree {
  return blocks.map((block) => {
    if (isReference(block)) return { ...block, id: newId() };
    const slots = listSlots(block).map(([slot, list]) => [slot, withNewIds(list)] as const);
    return { ...block, id: newId(), ...(slots.length === 0 ? {} : { slots: Object.fromEntries(slots) }) };
  });
}

/** An ID that no other block has. */
export function newId(): string {
  return `b${crypto.getRandomValues(new Uint32Array(2)).reduce((text, part) => text + part.toString(36), '')}`;
}

/** Sets a parameter of a block; undefined takes it out, so that its default counts. */
export function setParam(tree: BlockTree, id: string, name: string, value: unknown): BlockTree {
  return changeBlock(tree, id, (block) =>
    isReference(block) ? block : { ...block, params: withValue(block.params, name, value) },
  );
}

/** Sets a value for one place of a global block; undefined takes it back. @param inner block inside of it */
export function setOverride(
  tree: BlockTree,
  { id, inner, name }: { readonly id: string; readonly inner: string; readonly name: string },
  value: unknown,
): BlockTree {
  return changeBlock(tree, id, (block) => {
    if (!isReference(block)) return block;
    const { overrides = {}, ...reference } = block;
    const values = withValue(overrides[inner] ?? {}, name, value);
    const next = withValue(overrides, inner, Object.keys(values).length === 0 ? undefined : values);
    // Type boundary: what is left of the overrides has their type.
    const kept = next as Readonly<Record<string, Values>>;
    return Object.keys(kept).length === 0 ? reference : { ...reference, overrides: kept };
  });
}

/** The blocks of a global block as they look where it stands with other values. */
export function overlaid(tree: BlockTree, overrides: GlobalReference['overrides'] = {}): BlockTree {
  return tree.map((block) => {
    if (isReference(block)) return block;
    const slots = listSlots(block).map(([slot, list]) => [slot, overlaid(list, overrides)] as const);
    const params = { ...block.params, ...overrides[block.id] };
    return { ...block, params, ...(slots.length === 0 ? {} : { slots: Object.fromEntries(slots) }) };
  });
}

function withValue(values: Values, name: string, value: unknown): Values {
  const { [name]: _before, ...others } = values;
  return value === undefined ? others : { ...values, [name]: value };
}

/** A block with another list in a slot; an empty slot is left out. */
function withSlot(block: Block, slot: string, list: BlockTree): Block {
  if (isReference(block)) return block;
  const { slots = {}, ...rest } = block;
  const { [slot]: _before, ...others } = slots;
  const next = list.length === 0 ? others : { ...slots, [slot]: list };
  return Object.keys(next).length === 0 ? rest : { ...rest, slots: next };
}

/** Whether two trees of the same blocks have them in the same places. */
function sameOrder(left: BlockTree, right: BlockTree): boolean {
  return (
    left.length === right.length &&
    left.every((block, index) => {
      const other = right[index];
      if (other === undefined || other.id !== block.id) return false;
      const [slots, others] = [listSlots(block), listSlots(other)];
      return (
        slots.length === others.length &&
        slots.every(([slot, list]) => others.some(([name, inner]) => name === slot && sameOrder(list, inner)))
      );
    })
  );
}
