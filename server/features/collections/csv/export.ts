import { fieldTypes, presentValue } from '../../../../runtime/fields/types.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { CsvCell } from '../../../http/csv/write.ts';
import type { StoredCollection } from '../model.ts';
import { KnownTargets } from '../rows/known-targets.ts';
import * as items from '../rows/store.ts';

/**
 * All entries of a collection as rows, drafts too: `id`, `published`, then the fields in their order.
 *
 * @param db must be in a transaction
 */
export async function* exportedRows(
  db: ContentDb,
  collection: StoredCollection,
): AsyncGenerator<CsvCell[][]> {
  const { id, fields } = collection;
  yield [['id', 'published', ...fields.map(({ name }) => name)]];
  const targets = new KnownTargets(db);
  for await (const slice of items.listItems(db, id, true)) {
    for (const { data } of slice) await targets.read(fields, data);
    yield slice.map((item): CsvCell[] => [
      item.id,
      String(item.published),
      ...fields.map((field) => {
        const value = presentValue(item.data, field, targets.has);
        return value === null ? '' : fieldTypes[field.type].writeCell(value);
      }),
    ]);
  }
}
