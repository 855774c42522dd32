import type { Change } from '../../changes/changes.ts';
import { listPathsOfSubtree } from '../../content/sites/service.ts';
import type { Subtree } from '../../content/sites/subtree.ts';
import { deleteRedirectFrom, followMove } from '../redirects/automatic.ts';
import * as tree from './tree-store.ts';

/**
 * Gives a page and all pages below it the paths of their new place. Within a website this creates redirects
 * from the old paths (Core, "States and transitions"). A page gets one if it is stored as published at this
 * moment.
 */
export async function relocate(change: Change, from: Subtree, to: Subtree): Promise<void> {
  const pages = await listPathsOfSubtree(change.tx, from);
  await tree.movePaths(change.tx, from, to);
  const [root, ...below] = pages.map(({ path, published }) => ({
    from: path,
    to: to.path + path.slice(from.path.length),
    published,
  }));
  if (root === undefined) return;
  if (from.rootId === to.rootId) await followMove(change, to.rootId, [root, ...below]);
  else for (const page of [root, ...below]) await deleteRedirectFrom(change, to.rootId, page.to);
}
