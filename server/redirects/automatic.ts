import type { Change } from '../change.ts';
import type { StoredRedirect } from './model.ts';
import { isReservedPath } from './rules.ts';
import * as store from './store.ts';

/** A page that has got another path, which it may share with nobody. */
export interface MovedPage {
  readonly from: string;
  readonly to: string;
  readonly published: boolean;
}

/** Removes the redirect from a path that a page has taken (Core, "States and transitions"). */
export async function freeSource(change: Change, rootId: number, path: string): Promise<void> {
  const redirect = await store.findBySource(change.tx, rootId, path);
  if (redirect === undefined) return;
  await store.deleteRedirect(change.tx, redirect.id);
  change.record({ kind: 'redirect', action: 'delete', id: redirect.id, root_id: rootId, source: path });
}

/**
 * After a page was renamed or moved within its website: redirects that led to its subtree are repointed, and its old
 * addresses get redirects of their own, those of drafts excepted (Core, "States and transitions"; open points 12,
 * "Redirects").
 *
 * @param pages the page first, then all below it
 */
export async function followMove(
  change: Change,
  rootId: number,
  pages: readonly [MovedPage, ...MovedPage[]],
): Promise<void> {
  for (const { to } of pages) await freeSource(change, rootId, to);
  const [root] = pages;
  for (const redirect of await store.listToSubtree(change.tx, rootId, root.from)) {
    await repoint(change, redirect, root);
  }
  for (const page of pages) {
    if (page.published && !isReservedPath(page.from)) await redirectOldPath(change, rootId, page);
  }
}

async function redirectOldPath(change: Change, rootId: number, { from, to }: MovedPage): Promise<void> {
  await freeSource(change, rootId, from);
  const id = await store.insertRedirect(change.tx, {
    root_id: rootId,
    source: from,
    target: to,
    target_path: to,
    status: 301,
    auto: true,
    created_at: change.now,
  });
  change.record({ kind: 'redirect', action: 'create', id, root_id: rootId, source: from });
}

/** Left alone where another redirect leads on from the old target, or away from the new one. */
async function repoint(change: Change, redirect: StoredRedirect, root: MovedPage): Promise<void> {
  const { root_id, target_path } = redirect;
  const newPath = root.to + target_path.slice(root.from.length);
  for (const path of [target_path, newPath]) {
    if ((await store.findBySource(change.tx, root_id, path)) !== undefined) return;
  }
  const target = retarget(redirect.target, root);
  await store.updateRedirect(change.tx, { ...redirect, target, target_path: newPath });
  change.record({ kind: 'redirect', action: 'update', id: redirect.id, root_id, source: redirect.source });
}

/** A target in the moved subtree with its new path; host, query, fragment and the spelling below stay. */
function retarget(target: string, { from, to }: MovedPage): string {
  const [, host = '', path = '', rest = ''] = /^(https?:\/\/[^/?#]*)?([^?#]*)(.*)$/i.exec(target) ?? [];
  const below = path.split('/').slice(from.split('/').length);
  return host + [to, ...below].join('/') + rest;
}
