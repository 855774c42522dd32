import type { Generated } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    sittings: Omit<SittingRow, 'id'> & { id: Generated<number> };
  }
}

export interface SittingRow {
  id: number;
  kind: string;
  object_id: number;
  name: string;
  actor: string;
  /** Version of the content when it began. */
  version: number;
  begun_at: number;
  ended_at: number;
}

const sittings = contentTable('sittings');

/** The sittings of somebody about an object, the newest first. */
export const listSittingsOf = sittings.listBy(['kind', 'object_id', 'actor'], ['-id']);
export const insertSitting = sittings.insert(
  ...(['kind', 'object_id', 'name', 'actor', 'version', 'begun_at', 'ended_at'] as const),
);
export const updateSitting = sittings.updateBy(['id'], ['name', 'ended_at']);

/** The sittings that began with a version of a range, the newest first. */
export async function listSittings(
  db: ContentDb,
  { from, before }: { readonly from: number; readonly before: number },
): Promise<SittingRow[]> {
  return selectRange.all(db, { from, before });
}

/** Deletes what is older than a version. */
export async function removeSittingsBefore(db: ContentDb, version: number): Promise<void> {
  await removeOlder.run(db, { version });
}

const selectRange = contentQuery((db, p: { from: number; before: number }) =>
  db
    .selectFrom('sittings')
    .selectAll()
    .where('version', '>=', p.from)
    .where('version', '<', p.before)
    .orderBy('version', 'desc')
    .orderBy('id', 'desc'),
);

const removeOlder = contentQuery((db, p: { version: number }) =>
  db.deleteFrom('sittings').where('version', '<', p.version),
);
