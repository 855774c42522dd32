import type { Change } from '../change.ts';
import { nextUpdatedAt } from '../clock.ts';
import { invalid } from '../errors.ts';
import { recordObject } from '../kinds/objects.ts';
import type { PageMove, StoredPage } from './model.ts';
import { relocate } from './relocate.ts';
import { childPath } from './rules.ts';
import { checkSlugAmong, pageIdentity, requirePage } from './service.ts';
import { checkTranslations } from './translations/groups.ts';
import * as tree from './tree-store.ts';

/**
 * POST /pages/{id}/move: moves a page with its subtree below another page, which may belong to another
 * website (Core, "Pages").
 *
 * `index` is the position among the new siblings, counted without the moved page. If `index` is missing,
 * negative or too large, the page is appended.
 *
 * @throws ApiError `common.notFound` for the page or its target, `common.invalid` for a home page or a target
 *   inside the moved subtree, and the errors of `checkSlugAmong` and `checkTranslations` for the new place
 */
export async function movePage(change: Change, id: number, body: PageMove): Promise<void> {
  const { tx, now } = change;
  const page = await requirePage(tx, id);
  if (page.parent_id === null) throw invalid('id', 'is a home page, which cannot be moved');
  const parent = await requirePage(tx, body.parent_id, 'parent_id');
  if (isInside(parent, page)) throw invalid('parent_id', 'lies inside the moved page');
  await checkSlugAmong(tx, parent, page.slug, page.id);

  await tree.setPlace(tx, page.id, parent.id, nextUpdatedAt(now, page.updated_at));
  const path = childPath(parent.path, page.slug);
  if (path !== page.path || parent.root_id !== page.root_id) {
    await relocate(change, { rootId: page.root_id, path: page.path }, { rootId: parent.root_id, path });
  }
  if (parent.root_id !== page.root_id) await tree.clearLostNotFoundPages(tx);
  await checkTranslations(tx, { root_id: parent.root_id, path });
  await renumber(change, parent.id, page.id, body.index);
  recordObject(change, pageIdentity, 'moved', { ...page, path, root_id: parent.root_id });
}

function isInside(page: StoredPage, subtree: StoredPage): boolean {
  return page.root_id === subtree.root_id && `${page.path}/`.startsWith(`${subtree.path}/`);
}

async function renumber(
  change: Change,
  parentId: number,
  movedId: number,
  index: number | undefined,
): Promise<void> {
  const siblings = (await tree.listChildIds(change.tx, parentId)).filter((id) => id !== movedId);
  const place = index === undefined || index < 0 ? siblings.length : Math.min(index, siblings.length);
  siblings.splice(place, 0, movedId);
  for (const [sort, id] of siblings.entries()) await tree.setPosition(change.tx, id, sort);
}
