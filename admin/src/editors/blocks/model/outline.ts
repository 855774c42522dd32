/** The rows of the outline: blocks, the slots of blocks, and blocks inside of global blocks. */
import type { BlockSlot } from '../../../api/generated/schema.ts';
import type { TreeRow } from '../../../kit/tree/rows.ts';
import type { BlockFacts } from './rules.ts';
import { type Block, type BlockTree, isReference, type List, overlaid, toBlockTree } from './tree.ts';

export interface BlockRow extends TreeRow {
  readonly kind: 'block';
  readonly block: Block;
  /** The list that it stands in; undefined inside of a global block. */
  readonly list: List | undefined;
  /** The reference whose global block it is inside of. */
  readonly reference: string | undefined;
}

export interface SlotRow extends TreeRow {
  readonly kind: 'slot';
  readonly list: List;
  readonly slot: BlockSlot;
  readonly count: number;
}

export type OutlineRow = BlockRow | SlotRow;

/** The key of a block inside of a global block. */
export function innerKey(reference: string, inner: string): string {
  return `${reference}>${inner}`;
}

/**
 * @param closed keys of rows that are closed; everything else is open, except global blocks, which are closed
 *   unless `closed` has their key with a `!`
 */
export function outlineRows(
  facts: BlockFacts,
  tree: BlockTree,
  closed: ReadonlySet<string>,
): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  const addList = (list: BlockTree, at: List | undefined, level: number, reference?: string) => {
    for (const [index, block] of list.entries())
      addBlock(block, at, { level, position: index + 1, setSize: list.length }, reference);
  };
  const addBlock = (
    block: Block,
    list: List | undefined,
    place: Pick<TreeRow, 'level' | 'position' | 'setSize'>,
    reference?: string,
  ) => {
    const key = reference === undefined ? block.id : innerKey(reference, block.id);
    const global = isReference(block);
    const inner = global ? toBlockTree(facts.globals.get(block.global)?.blocks) : [];
    const slots = global ? [] : slotsFor(facts, block);
    const hasChildren = global ? reference === undefined && inner.length > 0 : slots.length > 0;
    const isOpen = hasChildren && (global ? closed.has(`${key}!`) : !closed.has(key));
    rows.push({ kind: 'block', key, block, list, reference, hasChildren, isOpen, ...place });
    if (!isOpen) return;
    const level = place.level + 1;
    if (global) {
      addList(overlaid(inner, block.overrides), undefined, level, block.id);
      return;
    }
    for (const [index, slot] of slots.entries()) {
      const children = block.slots?.[slot.name] ?? [];
      const at = { parent: block.id, slot: slot.name };
      const isAlone = slots.length === 1 && children.length > 0;
      if (isAlone) {
        addList(children, reference === undefined ? at : undefined, level, reference);
        continue;
      }
      if (reference !== undefined && children.length === 0) continue;
      const slotKey = `${key}/${slot.name}`;
      const isSlotOpen = children.length > 0 && !closed.has(slotKey);
      rows.push({
        kind: 'slot',
        key: slotKey,
        list: at,
        slot,
        count: children.length,
        level,
        position: index + 1,
        setSize: slots.length,
        hasChildren: children.length > 0,
        isOpen: isSlotOpen,
      });
      if (isSlotOpen) addList(children, reference === undefined ? at : undefined, level + 1, reference);
    }
  };
  addList(tree, { parent: null, slot: '' }, 1);
  return rows;
}

/** The slots of a block's type, and those with blocks that its type does not have any more. */
function slotsFor(facts: BlockFacts, block: Extract<Block, { type: string }>): readonly BlockSlot[] {
  const known = facts.types.get(block.type)?.slots ?? [];
  const others = Object.keys(block.slots ?? {}).filter((name) => !known.some((slot) => slot.name === name));
  return [...known, ...others.map((name) => ({ name, label: name, allow: [], max: 0 }))];
}
