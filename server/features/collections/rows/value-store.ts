/** Values of one field in the entries of a collection. */
import { sql } from 'kysely';
import { sameValueSql } from '../../../../runtime/content/items/sql.ts';
import type { FieldDefinition } from '../../../../runtime/fields/definition.ts';
import { fieldTypes } from '../../../../runtime/fields/types.ts';
import { contentQuery } from '../../../db/prepared.ts';
import { findIndexedRow } from '../../../db/schema.ts';
import type { ContentDb } from '../../../db/tables.ts';

/** The values of a field in all entries, in slices: text, number or null, as SQLite reads them. */
export function listValues(
  db: ContentDb,
  collectionId: number,
  field: string,
): AsyncGenerator<{ id: number; value: unknown }[]> {
  return selectValues.slices(db, { collectionId, path: `$.${field}` }, rowsPerSlice);
}

/**
 * The first entry in manual order with this value, drafts too; undefined if there is none. The index of a unique field
 * answers it, which is made in the background.
 *
 * @param exceptId an entry that does not count
 */
export async function findIdByValue(
  db: ContentDb,
  collectionId: number,
  { name, type }: Pick<FieldDefinition, 'name' | 'type'>,
  value: string | number,
  exceptId: number,
): Promise<number | undefined> {
  const row = findIndexedRow(
    db,
    sameValueSql(collectionId, { field: name, compares: fieldTypes[type].compares }),
    [value, exceptId],
  );
  return row === undefined ? undefined : Number(row['id']);
}

const rowsPerSlice = 200;

const selectValues = contentQuery((db, p: { collectionId: number; path: string }) =>
  db
    .selectFrom('items')
    .select(['id', sql<unknown>`json_extract(data, ${p.path})`.as('value')])
    .where('collection_id', '=', p.collectionId),
);
