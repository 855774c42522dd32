import type { EntryData } from '../../../../runtime/fields/definition.ts';
import { TrustedTree } from '../../../content/blocks/convert-tree.ts';
import { listTreeMarkup } from '../../../content/blocks/markup.ts';
import { listFieldMarkup, type PlacedMarkup } from '../../../content/fields/markup.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';

/** The values of an entry that pages show as HTML. */
export async function listDataMarkup(
  db: ContentDb,
  { fields }: Pick<StoredCollection, 'fields'>,
  data: EntryData,
): Promise<PlacedMarkup[]> {
  const found: PlacedMarkup[] = [];
  for (const field of fields) {
    const value = data[field.name] ?? null;
    if (field.type === 'blocks')
      found.push(...(await listTreeMarkup(db, TrustedTree.fromHistory(value).tree, `data.${field.name}`)));
    else found.push(...listFieldMarkup(value, field, { field: 'data.', key: 'data.' }));
  }
  return found;
}
