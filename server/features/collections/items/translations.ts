import { chooseEntryTitle } from '../../../../runtime/page/entries.ts';
import { detailPath } from '../../../../runtime/page/entry-address.ts';
import { withoutReadLimits } from '../../../base/content-overlay.ts';
import { invalid } from '../../../base/errors.ts';
import type { Change } from '../../../changes/changes.ts';
import { decide } from '../../../content/kinds/decide.ts';
import { linkVersions, unlinkVersion } from '../../../content/kinds/language-groups.ts';
import { recordObject } from '../../../content/kinds/objects.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { requirePage } from '../../pages/service.ts';
import type { StoredCollection } from '../model.ts';
import { itemGroups } from '../rows/groups.ts';
import type { Entry, EntryLink, EntryTranslation, ItemState } from '../rows/model.ts';
import * as store from '../rows/store.ts';
import { requireCollection } from '../service.ts';
import { type ItemKind, requireItem, toItemState } from './service.ts';

/** The other language versions of an entry, sorted by language. */
export async function listTranslations(db: ContentDb, item: Entry): Promise<EntryTranslation[]> {
  const members = (await store.listMembers(db, item.translation_group)).filter(({ id }) => id !== item.id);
  const translations = members.map(async ({ id, lang, collection_id, published, data: stored }) => {
    const collection = await requireCollection(db, collection_id);
    // Type boundary: entries are stored as objects.
    const data = JSON.parse(stored) as Entry['data'];
    const path = await pathOf(db, collection, data);
    const title = chooseEntryTitle(data);
    return {
      collection: collection.slug,
      item_id: id,
      lang: lang ?? '',
      title,
      url: path,
      path,
      published: published !== 0,
    };
  });
  return (await Promise.all(translations)).sort((left, right) => (left.lang < right.lang ? -1 : 1));
}

/**
 * POST of a language version: adds another entry to the group of this one.
 *
 * @throws ApiError `common.notFound`, `common.invalid`, `translation.noLang`, 409 `translation.langTaken` and
 *   `translation.alreadyLinked`
 */
export async function linkTranslation(
  change: Change,
  kind: ItemKind,
  collection: StoredCollection,
  id: number,
  body: EntryLink,
): Promise<void> {
  const { tx } = change;
  const item = await requireItem(tx, collection, id);
  const ofOther =
    body.collection === undefined ? collection : await requireCollection(tx, body.collection, 'collection');
  const other = await requireItem(tx, ofOther, body.item_id, 'item_id');
  if (other.id === item.id) throw invalid('item_id', 'is the entry itself');
  await decideLinked(change, kind, [toItemState(item, collection), toItemState(other, ofOther)]);
  if (!(await linkVersions(change, itemGroups, item, other, body.move === true))) return;
  recordObject(change, kind, 'updated', toItemState(await requireItem(tx, collection, id), collection));
  recordObject(change, kind, 'updated', toItemState(await requireItem(tx, ofOther, other.id), ofOther));
}

/** DELETE: takes an entry out of its group. @throws ApiError `common.notFound` */
export async function unlinkTranslation(
  change: Change,
  kind: ItemKind,
  collection: StoredCollection,
  id: number,
): Promise<void> {
  const item = await requireItem(change.tx, collection, id);
  await decideLinked(change, kind, [toItemState(item, collection)]);
  if (!(await unlinkVersion(change, itemGroups, item))) return;
  recordObject(
    change,
    kind,
    'updated',
    toItemState(await requireItem(change.tx, collection, id), collection),
  );
}

async function decideLinked(change: Change, kind: ItemKind, items: readonly ItemState[]): Promise<void> {
  for (const item of items) await decide(change, kind, { before: item, after: item });
}

async function pathOf(
  db: ContentDb,
  { detail_page_id: pageId, detail_field: field }: StoredCollection,
  data: Entry['data'],
): Promise<string> {
  if (pageId === 0) return '';
  // Visitors see the address too, so it may be shown where the page may not.
  const page = await withoutReadLimits(() => requirePage(db, pageId));
  return detailPath(page.path, data[field]);
}
