/** Renames a parameter of a block type in all stored trees, with its values. */
import { type Block, type BlockTree, blocksIn, isReference } from '../../../runtime/blocks/tree.ts';
import type { Change } from '../../changes/changes.ts';
import * as store from './store.ts';

export interface RenamedParam {
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Values stay where they are among the others. Overrides of global blocks are renamed too.
 *
 * @returns the trees that have changed
 */
export async function renameInTrees(change: Change, param: RenamedParam): Promise<store.TreeField[]> {
  const { tx, now } = change;
  const places = new Map<string, store.TreeField>();
  /** IDs of blocks of the type by the global block that they are in. */
  const inGlobals = new Map<number, ReadonlySet<string>>();
  for (const place of await store.listTreesWithType(tx, param.type)) {
    places.set(JSON.stringify(place), place);
    if (place.kind !== 'global_block' || inGlobals.has(place.id)) continue;
    inGlobals.set(place.id, idsOfType(await store.findTree(tx, place), param.type));
    for (const using of await store.listTreesWithGlobal(tx, place.id))
      places.set(JSON.stringify(using), using);
  }
  const changed: store.TreeField[] = [];
  for (const place of places.values()) {
    const tree = await store.findTree(tx, place);
    const renamed = tree.map((block) => renamedBlock(block, param, inGlobals));
    if (JSON.stringify(renamed) === JSON.stringify(tree)) continue;
    await store.setTree(tx, place, renamed, now);
    changed.push(place);
  }
  return changed;
}

function idsOfType(tree: BlockTree, type: string): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [, block] of blocksIn(tree)) if (!isReference(block) && block.type === type) ids.add(block.id);
  return ids;
}

function renamedBlock(
  block: Block,
  param: RenamedParam,
  inGlobals: ReadonlyMap<number, ReadonlySet<string>>,
): Block {
  if (isReference(block)) {
    const ids = inGlobals.get(block.global);
    if (ids === undefined || block.overrides === undefined) return block;
    const overrides = Object.entries(block.overrides).map(
      ([id, values]) => [id, ids.has(id) ? renamedKeys(values, param) : values] as const,
    );
    return { ...block, overrides: Object.fromEntries(overrides) };
  }
  const params = block.type === param.type ? renamedKeys(block.params, param) : block.params;
  if (block.slots === undefined) return { ...block, params };
  const slots = Object.entries(block.slots).map(
    ([name, list]) => [name, list.map((inner) => renamedBlock(inner, param, inGlobals))] as const,
  );
  return { ...block, params, slots: Object.fromEntries(slots) };
}

function renamedKeys(values: Readonly<Record<string, unknown>>, { from, to }: RenamedParam) {
  if (!Object.hasOwn(values, from)) return values;
  return Object.fromEntries(
    Object.entries(values)
      // What is still stored of an earlier parameter of the new name is gone now.
      .filter(([name]) => name !== to)
      .map(([name, value]) => [name === from ? to : name, value]),
  );
}
