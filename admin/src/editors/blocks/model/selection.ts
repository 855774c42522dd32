/** What is chosen in a tree of blocks, and the states that undo leads back to. */
import type { BlockTree } from './tree.ts';

/** What is chosen: blocks, and perhaps a parameter of the last one. */
export interface Selection {
  /** IDs of blocks; the last one is shown in the panel. */
  readonly ids: readonly string[];
  /** A block inside of the global block that `ids` names. */
  readonly inner?: string | undefined;
  /** Name of a parameter. */
  readonly field?: string | undefined;
}

export const nothing: Selection = { ids: [] };

export interface TreeState {
  readonly tree: BlockTree;
  readonly selection: Selection;
}
