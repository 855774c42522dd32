/** Whether the trees that insert a global block still keep their rules with its new blocks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BlockTree, isReference, listSlots, treeLimits } from '../../../runtime/blocks/tree.ts';
import { apiError } from '../../base/errors.ts';
import type { ContentDb } from '../../db/tables.ts';
import { findTree, listTreesWithGlobal, type TreeField } from './store.ts';
import { TreeRuleLookup } from './tree-rule-lookup.ts';

/**
 * @param blocks the new tree of the global block
 * @throws ApiError `block.globalCycle`, `block.globalNowNotAllowed`, `block.tooDeep`
 */
export async function requireFitsUsage(db: ContentDb, id: number, blocks: BlockTree): Promise<void> {
  const before = new TreeRuleLookup(db);
  const after = new TreeRuleLookup(db, new Map([[id, blocks]]));
  const facts = await after.factsOf(blocks);
  if (facts.contains.has(id)) throw apiError('block.globalCycle', { id });
  const old = await before.global(id);
  const isDeeper = facts.levels > (old?.levels ?? 1);
  const hasNewTypes = facts.topTypes.some((type) => !old?.topTypes.includes(type));
  if (!isDeeper && !hasNewTypes) return;
  const places = await listPlaces(db, id);
  const refused = new Set<string>();
  for (const place of places) {
    const tree = await findTree(db, place);
    if (isDeeper && (await after.factsOf(tree)).levels > treeLimits.levels)
      throw apiError('block.tooDeep', { path: '', max: treeLimits.levels });
    if (hasNewTypes && (await hasRefused(tree, after, before))) refused.add(`${place.kind} ${place.id}`);
    await nextTurn();
  }
  if (refused.size > 0) throw apiError('block.globalNowNotAllowed', { count: refused.size });
}

/** The trees that contain a global block, directly or through other global blocks. */
async function listPlaces(db: ContentDb, id: number): Promise<TreeField[]> {
  const places = new Map<string, TreeField>();
  const globals = new Set([id]);
  // The loop also visits global blocks that are added while it runs.
  for (const global of globals) {
    for (const place of await listTreesWithGlobal(db, global)) {
      places.set(JSON.stringify(place), place);
      if (place.kind === 'global_block') globals.add(place.id);
    }
  }
  return [...places.values()];
}

/** Whether a slot of a tree does not take a global block that it took so far. */
async function hasRefused(tree: BlockTree, after: TreeRuleLookup, before: TreeRuleLookup): Promise<boolean> {
  for (const block of tree) {
    for (const [name, list] of listSlots(block)) {
      if (await hasRefused(list, after, before)) return true;
      const schema = isReference(block) ? undefined : await after.type(block.type);
      const allow = schema?.slots.find((slot) => slot.name === name)?.allow ?? [];
      if (allow.length === 0) continue;
      for (const { global } of list.filter(isReference)) {
        const isAllowed = async (surroundings: TreeRuleLookup) =>
          (await surroundings.global(global))?.topTypes.every((type) => allow.includes(type)) ?? true;
        if (!(await isAllowed(after)) && (await isAllowed(before))) return true;
      }
    }
  }
  return false;
}
