import type { PickedBlock } from '../../preview/messages.ts';
import { type BlockTree, findBlock, isReference } from './tree.ts';

export interface OwnBlock {
  readonly id: string;
  /** ID of the block inside of the global block that `id` stands for. */
  readonly inner?: string | undefined;
  /** What was clicked lies deeper and comes from elsewhere, such as an entry. */
  readonly isForeign: boolean;
}

/**
 * The block of a tree that a click in its page means, and the one inside of its global block.
 *
 * @param origin of the tree in the markers of the page
 * @param blocks around what was clicked, outermost first
 */
export function findOwnBlock(
  tree: BlockTree,
  origin: string,
  blocks: readonly PickedBlock[],
): OwnBlock | undefined {
  const last = blocks.findLastIndex((block) => block.origin === origin);
  const { id = '' } = blocks[last] ?? {};
  const block = findBlock(tree, id);
  if (block === undefined) return undefined;
  const inside = blocks.slice(last + 1);
  if (inside.length === 0 || !isReference(block)) return { id, isForeign: inside.length > 0 };
  const direct = inside.findLast((inner) => inner.origin === `global:${block.global}`);
  return { id, inner: direct?.id, isForeign: inside.at(-1) !== direct };
}
