import type { ContentReader } from '../reader.ts';
import { accessPath } from './access.ts';
import type { ItemQuery } from './query.ts';
import type { CollectionRecord, ItemRecord, UnsavedItem } from './records.ts';
import { type Sql, selectSql } from './sql.ts';

/** The columns of {@link ItemRecord}. */
export const itemNames = [
  'id',
  'collection_id',
  'sort',
  'published',
  'translation_group',
  'created_at',
  'updated_at',
  'data',
] as const;

/** Most entries and most characters of data that one list in a template may have. */
const maxItems = 100_000;
const maxCharacters = 64 * 2 ** 20;

/** A list has more entries, or more data, than templates can use at once. */
export class TooManyItems extends Error {}

/** The entries of a query, without recording that they were read. @throws TooManyItems */
export function selectItems(
  reader: ContentReader,
  collection: CollectionRecord,
  query: ItemQuery,
  drafts: boolean,
  unsaved?: UnsavedItem,
): readonly ItemRecord[] {
  const selected =
    unsaved?.collectionId === collection.id
      ? withUnsaved(selectSql(itemNames, collection.id, query, drafts), unsaved)
      : selectSql(itemNames, collection.id, query, drafts, accessPath(reader, collection, query));
  const items = reader.selectItems(selected, maxItems, maxCharacters);
  if (items === undefined)
    throw new TooManyItems(`"${collection.slug}" has too many entries for one list: give it a _limit`);
  return items;
}

/** The same query on a table in which the unsaved entry stands in place of the stored one. */
function withUnsaved({ text, values }: Sql, { collectionId, id, data }: UnsavedItem): Sql {
  const now = Math.floor(Date.now() / 1000);
  return {
    text: `WITH items (${itemNames.join(', ')}) AS (
      SELECT ${itemNames.join(', ')} FROM main.items WHERE id <> ?
      UNION ALL
      SELECT ?, ?, coalesce((SELECT sort FROM main.items WHERE id = ?), ${Number.MAX_SAFE_INTEGER}), 1, '',
        coalesce((SELECT created_at FROM main.items WHERE id = ?), ${now}), ${now}, ?
    ) ${text}`,
    values: [id, id, collectionId, id, id, JSON.stringify(data), ...values],
  };
}
