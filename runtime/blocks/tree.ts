/** Block trees: their form, and how to walk them (Core, "Block tree"). */

/** A block of a type, as stored. */
export interface TypedBlock {
  readonly id: string;
  readonly type: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Only slots with blocks in them; absent if there are none. */
  readonly slots?: Readonly<Record<string, BlockTree>>;
}

/** A place where a global block is inserted, as stored. */
export interface GlobalReference {
  readonly id: string;
  readonly global: number;
  /** Values by the ID of a block inside of the global block; null clears a value. */
  readonly overrides?: BlockOverrides;
}

export type BlockOverrides = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
export type Block = TypedBlock | GlobalReference;
export type BlockTree = readonly Block[];

/** Limits of Core, "Limits". */
export const treeLimits = { levels: 10, bytes: 2 ** 20 } as const;

export function isReference(block: Block): block is GlobalReference {
  return 'global' in block;
}

/** The lists of blocks inside of a block, by slot. */
export function listSlots(block: Block): readonly (readonly [string, BlockTree])[] {
  return isReference(block) || block.slots === undefined ? [] : Object.entries(block.slots);
}

/** Every block of a tree with its path, such as `0.slots.main.1`, in document order. */
export function* blocksIn(tree: BlockTree, at = ''): Generator<readonly [path: string, block: Block]> {
  for (const [index, block] of tree.entries()) {
    const path = `${at}${index}`;
    yield [path, block];
    for (const [name, list] of listSlots(block)) yield* blocksIn(list, `${path}.slots.${name}.`);
  }
}
