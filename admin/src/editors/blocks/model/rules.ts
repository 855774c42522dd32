/** Where blocks may stand: the rules of Core, "Block tree", asked before a change instead of after a save. */
import type { BlockSlot, BlockType, GlobalBlock } from '../../../api/generated/schema.ts';
import {
  type Block,
  type BlockTree,
  blocksIn,
  findBlock,
  isReference,
  type List,
  levelsIn,
  listAt,
  pathTo,
  toBlockTree,
} from './tree.ts';

/** What the rules ask about: block types by name, global blocks by ID. */
export interface BlockFacts {
  readonly types: ReadonlyMap<string, BlockType>;
  readonly globals: ReadonlyMap<number, GlobalBlock>;
  /** The global block whose tree is edited. */
  readonly ownGlobal?: number | undefined;
}

/** Why blocks may not stand in a list. */
export type Refusal =
  | { readonly reason: 'notAllowed'; readonly type: string; readonly slot: string }
  | { readonly reason: 'full'; readonly slot: string; readonly max: number }
  | { readonly reason: 'tooDeep'; readonly max: number }
  | { readonly reason: 'cycle' }
  | { readonly reason: 'inside' };

const maxLevels = 10;

/** The slot of a block by its name. */
function slotOf(facts: BlockFacts, tree: BlockTree, { parent, slot }: List): BlockSlot | undefined {
  const block = parent === null ? undefined : findBlock(tree, parent);
  if (block === undefined || isReference(block)) return undefined;
  return facts.types.get(block.type)?.slots.find(({ name }) => name === slot);
}

/**
 * Why blocks may not be put into a list; undefined if they may.
 *
 * @param moved IDs of blocks that come from the tree itself, which do not count twice
 */
export function refusal(
  facts: BlockFacts,
  tree: BlockTree,
  list: List,
  blocks: BlockTree,
  moved: ReadonlySet<string> = new Set(),
): Refusal | undefined {
  const around = list.parent === null ? [] : pathTo(tree, list.parent);
  if (around.some(({ id }) => moved.has(id))) return { reason: 'inside' };
  const levels = Math.max(0, ...blocks.map((block) => levelsOf(facts, block)));
  if (around.length + levels > maxLevels) return { reason: 'tooDeep', max: maxLevels };
  if (facts.ownGlobal !== undefined && blocks.some((block) => contains(facts, [block], facts.ownGlobal)))
    return { reason: 'cycle' };
  const slot = slotOf(facts, tree, list);
  if (slot === undefined) return undefined;
  const label = slot.label || slot.name;
  const others = listAt(tree, list).filter(({ id }) => !moved.has(id)).length;
  if (slot.max > 0 && others + blocks.length > slot.max)
    return { reason: 'full', slot: label, max: slot.max };
  if (slot.allow.length === 0) return undefined;
  const type = blocks.flatMap((block) => topTypes(facts, block)).find((name) => !slot.allow.includes(name));
  if (type === undefined) return undefined;
  return { reason: 'notAllowed', type: facts.types.get(type)?.label ?? type, slot: label };
}

/** The lists of a tree that take some of its own blocks. */
export function listsFor(facts: BlockFacts, tree: BlockTree, moved: ReadonlySet<string>): readonly List[] {
  const blocks = [...blocksIn(tree)].filter(({ id }) => moved.has(id));
  return listsIn(facts, tree).filter((list) => refusal(facts, tree, list, blocks, moved) === undefined);
}

/** All lists of a tree: its own, and every slot that the types of its blocks have. */
function listsIn(facts: BlockFacts, tree: BlockTree): readonly List[] {
  const lists: List[] = [{ parent: null, slot: '' }];
  for (const block of blocksIn(tree)) {
    if (isReference(block)) continue;
    for (const { name } of facts.types.get(block.type)?.slots ?? [])
      lists.push({ parent: block.id, slot: name });
  }
  return lists;
}

/** Types that a slot with an allow list sees: of a global block those at its top. */
function topTypes(facts: BlockFacts, block: Block, inside: readonly number[] = []): readonly string[] {
  if (!isReference(block)) return [block.type];
  if (inside.includes(block.global)) return [];
  const tree = toBlockTree(facts.globals.get(block.global)?.blocks);
  return tree.flatMap((inner) => topTypes(facts, inner, [...inside, block.global]));
}

function levelsOf(facts: BlockFacts, block: Block): number {
  if (isReference(block)) return Math.max(1, levelsIn(toBlockTree(facts.globals.get(block.global)?.blocks)));
  return levelsIn([block]);
}

/** Whether a global block is in a tree, directly or in other global blocks. */
function contains(
  facts: BlockFacts,
  tree: BlockTree,
  id: number | undefined,
  seen = new Set<number>(),
): boolean {
  for (const block of blocksIn(tree)) {
    if (!isReference(block)) continue;
    if (block.global === id) return true;
    if (seen.has(block.global)) continue;
    seen.add(block.global);
    if (contains(facts, toBlockTree(facts.globals.get(block.global)?.blocks), id, seen)) return true;
  }
  return false;
}
