import { isDeepStrictEqual } from 'node:util';
import { nextUpdatedAt } from '../../base/clock.ts';
import { invalid } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import { decide, requireReadable } from '../../content/kinds/decide.ts';
import { recordObject } from '../../content/kinds/objects.ts';
import { pageIdentity } from './fields.ts';
import { checkTranslations } from './language-groups/groups.ts';
import type { PageMove, StoredPage } from './model.ts';
import { relocate } from './relocate.ts';
import { childPath } from './rules.ts';
import { checkSlugAmong, requirePage } from './service.ts';
import * as tree from './tree-store.ts';

/**
 * POST /pages/{id}/move: moves a page with its subtree below another page, which may belong to another
 * website (Core, "Pages").
 *
 * `index` is the position among the new siblings, counted without the moved page. If `index` is missing,
 * negative or too large, the page is appended. A page that is there already stays as it is.
 *
 * @throws ApiError `common.notFound` for the page or its target, `common.invalid` for a home page or a target
 *   inside the moved subtree, and the errors of `checkSlugAmong` and `checkTranslations` for the new place
 */
export async function movePage(change: Change, id: number, body: PageMove): Promise<void> {
  const { tx, now } = change;
  const page = await requirePage(tx, id);
  await requireReadable(change, pageIdentity, page);
  if (page.parent_id === null) throw invalid('id', 'is a home page, which cannot be moved');
  const parent = await requirePage(tx, body.parent_id, 'parent_id');
  await requireReadable(change, pageIdentity, parent, 'parent_id');
  if (isInside(parent, page)) throw invalid('parent_id', 'lies inside the moved page');
  const moved = { ...page, parent_id: parent.id, root_id: parent.root_id };
  await decide(change, pageIdentity, { before: page, after: moved, withInside: true });
  await checkSlugAmong(tx, parent, page.slug, page.id);
  const siblings = await tree.listChildIds(tx, parent.id);
  const order = orderWith(siblings, page.id, body.index);
  if (isDeepStrictEqual(order, siblings)) return;

  await tree.setPlace(tx, page.id, parent.id, nextUpdatedAt(now, page.updated_at));
  const path = childPath(parent.path, page.slug);
  if (path !== page.path || parent.root_id !== page.root_id) {
    await relocate(change, { rootId: page.root_id, path: page.path }, { rootId: parent.root_id, path });
  }
  if (parent.root_id !== page.root_id) await tree.clearLostNotFoundPages(tx);
  await checkTranslations(tx, { root_id: parent.root_id, path });
  for (const [sort, sibling] of order.entries()) await tree.setPosition(tx, sibling, sort);
  recordObject(change, pageIdentity, 'moved', { ...page, path, root_id: parent.root_id });
}

function isInside(page: StoredPage, subtree: StoredPage): boolean {
  return page.root_id === subtree.root_id && `${page.path}/`.startsWith(`${subtree.path}/`);
}

/** The IDs of the siblings with the moved page in its place. It may be one of them already. */
function orderWith(siblings: readonly number[], movedId: number, index: number | undefined): number[] {
  const order = siblings.filter((id) => id !== movedId);
  const place = index === undefined || index < 0 ? order.length : Math.min(index, order.length);
  order.splice(place, 0, movedId);
  return order;
}
