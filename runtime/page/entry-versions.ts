import type { ContentCache } from '../content/content-cache.ts';
import { parseQuery, QueryFault } from '../content/items/query.ts';
import type { CollectionRecord, ItemRecord } from '../content/items/records.ts';
import type { PageRecord, VersionRecord } from '../content/reader.ts';
import { chooseEntryTitle } from './entries.ts';
import { computeEntryAddress } from './entry-address.ts';

/** The language versions of the entry that a detail page shows. */
export interface EntryVersions {
  /** ID of the entry. */
  readonly id: number;
  /** The entry itself and its other published versions that have a page; empty if it is in no group. */
  readonly versions: readonly VersionRecord[];
}

/**
 * The language versions of the entry at an address below a catch-all page. Undefined if no collection has its
 * entries there, or none has this address.
 *
 * @param rest segments of the path below the page
 * @param drafts whether the entry itself may be a draft
 */
export function versionsOfEntry(
  memo: ContentCache,
  page: Pick<PageRecord, 'id'>,
  rest: readonly string[],
  drafts: boolean,
): EntryVersions | undefined {
  if (rest.length === 0) return undefined;
  for (const collection of memo.items.collectionsBelow(page.id)) {
    const item = entryAt(memo, collection, rest.join('/'), drafts);
    if (item === undefined) continue;
    const members = item.translation_group === '' ? [] : memo.items.versions(item.translation_group);
    return { id: item.id, versions: members.flatMap((member) => versionOf(memo, member)) };
  }
  return undefined;
}

function entryAt(
  memo: ContentCache,
  collection: CollectionRecord,
  part: string,
  drafts: boolean,
): ItemRecord | undefined {
  try {
    const query = parseQuery(collection, [[collection.detail_field, part]]);
    return memo.items.select(collection, { ...query, limit: 1 }, drafts)[0];
  } catch (error) {
    // The field may be gone since it was chosen.
    if (error instanceof QueryFault) return undefined;
    throw error;
  }
}

function versionOf(memo: ContentCache, item: ItemRecord): VersionRecord[] {
  const collection = memo.items.collectionById(item.collection_id);
  if (collection === undefined || collection.lang === '' || !item.published) return [];
  const path = computeEntryAddress(memo, collection, item, false);
  const root = memo.basics(collection.detail_page_id)?.root_id;
  if (path === '' || root === undefined) return [];
  const { id, translation_group } = item;
  return [
    { id, root_id: root, translation_group, path, title: chooseEntryTitle(item.data), lang: collection.lang },
  ];
}
