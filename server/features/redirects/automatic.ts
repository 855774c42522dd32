import { withoutDots } from '../../../runtime/page/address.ts';
import type { Change } from '../../changes/changes.ts';
import { recordObject, recordSaved } from '../../content/kinds/objects.ts';
import { saveRevision } from '../../content/kinds/revisions.ts';
import { isReservedPath } from '../../content/sites/reserved-paths.ts';
import type { StoredRedirect } from './model.ts';
import { redirectIdentity } from './service.ts';
import * as store from './store.ts';

/** The old and the new path of a page. */
export interface MovedPage {
  readonly from: string;
  readonly to: string;
  readonly published: boolean;
}

/** Deletes the redirect whose source is the new path of a page (Core, "States and transitions"). */
export async function deleteRedirectFrom(change: Change, rootId: number, path: string): Promise<void> {
  const redirect = await store.findBySource(change.tx, rootId, path);
  if (redirect === undefined) return;
  await store.redirects.remove(change.tx, redirect.id);
  recordObject(change, redirectIdentity, 'deleted', redirect);
}

/**
 * Updates the redirects after a page was renamed or moved within its website (Core, "States and
 * transitions"). Redirects to its subtree get the new targets. The old paths of published pages get redirects
 * to the new paths.
 *
 * @param pages the page first, then all pages below it
 */
export async function followMove(
  change: Change,
  rootId: number,
  pages: readonly [MovedPage, ...MovedPage[]],
): Promise<void> {
  for (const { to } of pages) await deleteRedirectFrom(change, rootId, to);
  const [root] = pages;
  for (const redirect of await store.listToSubtree(change.tx, rootId, root.from)) {
    await repoint(change, redirect, root);
  }
  for (const page of pages) {
    if (page.published && !isReservedPath(page.from)) await redirectOldPath(change, rootId, page);
  }
}

async function redirectOldPath(change: Change, rootId: number, { from, to }: MovedPage): Promise<void> {
  await deleteRedirectFrom(change, rootId, from);
  const redirect = {
    root_id: rootId,
    source: from,
    target: to,
    target_path: to,
    status: 301,
    auto: true,
    created_at: change.now,
  } as const;
  const id = await store.redirects.insert(change.tx, redirect);
  await recordSaved(change, redirectIdentity, 'created', { id, ...redirect });
}

/** Leaves the redirect as it is if another redirect begins at its old target or at its new target. */
async function repoint(change: Change, redirect: StoredRedirect, root: MovedPage): Promise<void> {
  const { root_id, target_path } = redirect;
  const newPath = root.to + target_path.slice(root.from.length);
  for (const path of [target_path, newPath]) {
    if ((await store.findBySource(change.tx, root_id, path)) !== undefined) return;
  }
  const target = retarget(redirect.target, root);
  const repointed = { ...redirect, target, target_path: newPath };
  await saveRevision(change, { kind: 'redirect', id: redirect.id }, redirect);
  await store.redirects.update(change.tx, repointed);
  await recordSaved(change, redirectIdentity, 'updated', repointed, redirect);
}

/**
 * Replaces the path of the moved page in a target. Host, query, fragment and the rest of the path stay as
 * written, but for dot segments.
 */
function retarget(target: string, { from, to }: MovedPage): string {
  const [, host = '', path = '', rest = ''] = /^(https?:\/\/[^/?#]*)?([^?#]*)(.*)$/i.exec(target) ?? [];
  const below = withoutDots(path).split('/').slice(from.split('/').length);
  return host + [to, ...below].join('/') + rest;
}
