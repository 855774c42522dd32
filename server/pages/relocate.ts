import type { Change } from '../change.ts';
import { followMove, freeSource } from '../redirects/automatic.ts';
import { listPathsOfSubtree } from './path-store.ts';
import * as tree from './tree-store.ts';

/**
 * Gives a page and all below it the paths of their new place. Within a website redirects lead from the old ones
 * (Core, "States and transitions"); whether a page gets one depends on what is stored when this is called.
 */
export async function relocate(change: Change, from: tree.Subtree, to: tree.Subtree): Promise<void> {
  const pages = await listPathsOfSubtree(change.tx, from);
  await tree.movePaths(change.tx, from, to);
  const [root, ...below] = pages.map(({ path, published }) => ({
    from: path,
    to: to.path + path.slice(from.path.length),
    published,
  }));
  if (root === undefined) return;
  if (from.rootId === to.rootId) await followMove(change, to.rootId, [root, ...below]);
  else for (const page of [root, ...below]) await freeSource(change, to.rootId, page.to);
}
