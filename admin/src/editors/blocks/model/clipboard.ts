/** Blocks as text: copied on one page, pasted on another, also in another window. */
import { toRecord } from '../../../api/failure.ts';
import { type BlockFacts, refusal } from './rules.ts';
import { type Block, type BlockTree, type List, listSlots, withNewIds } from './tree.ts';

const mark = 'incipit-blocks';

export function blocksToText(blocks: BlockTree): string {
  return JSON.stringify({ [mark]: blocks }, undefined, 2);
}

/** The blocks in a text; undefined if it has none. IDs are as they were. */
export function blocksFromText(text: string): BlockTree | undefined {
  if (!text.includes(mark)) return undefined;
  try {
    const blocks: unknown = toRecord(JSON.parse(text))[mark];
    // Type boundary: every part of the blocks was looked at.
    return Array.isArray(blocks) && blocks.every(isBlock) ? (blocks as BlockTree) : undefined;
  } catch {
    return undefined;
  }
}

export interface Pasted {
  readonly blocks: BlockTree;
  /** Number of blocks that this list or this server does not take. */
  readonly leftOut: number;
}

/** Blocks that can be put into a list, with new IDs. Blocks of unknown types are left out, also in slots. */
export function pasteInto(facts: BlockFacts, tree: BlockTree, list: List, blocks: BlockTree): Pasted {
  const known = knownOnly(facts, blocks);
  const taken: Block[] = [];
  let leftOut = known.leftOut;
  for (const block of known.blocks) {
    if (refusal(facts, tree, list, [...taken, block]) === undefined) taken.push(block);
    else leftOut += 1;
  }
  return { blocks: withNewIds(taken), leftOut };
}

function knownOnly(facts: BlockFacts, blocks: BlockTree): Pasted {
  let leftOut = 0;
  const kept: Block[] = [];
  for (const block of blocks) {
    const isKnown = 'global' in block ? facts.globals.has(block.global) : facts.types.has(block.type);
    if (!isKnown) {
      leftOut += 1;
      continue;
    }
    const slots = listSlots(block).map(([slot, list]) => {
      const inner = knownOnly(facts, list);
      leftOut += inner.leftOut;
      return [slot, inner.blocks] as const;
    });
    const filled = slots.filter(([, list]) => list.length > 0);
    kept.push(
      'global' in block || slots.length === 0 ? block : { ...block, slots: Object.fromEntries(filled) },
    );
  }
  return { blocks: kept, leftOut };
}

function isBlock(value: unknown): boolean {
  const { id, type, params, global, slots } = toRecord(value);
  if (typeof id !== 'string') return false;
  if (global !== undefined) return Number.isSafeInteger(global);
  if (typeof type !== 'string' || typeof params !== 'object' || params === null) return false;
  return Object.values(toRecord(slots)).every((list) => Array.isArray(list) && list.every(isBlock));
}
