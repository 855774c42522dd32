import type { Generated } from 'kysely';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    journals: Omit<JournalRow, 'id'> & { id: Generated<number> };
    journal_objects: JournalObjectRow;
  }
}

export interface JournalRow {
  readonly id: number;
  readonly source: string;
  readonly key: string;
  readonly at: number;
  readonly objects: number;
  readonly reverted_by: number | null;
  readonly effects: string;
}

export interface JournalObjectRow {
  readonly journal_id: number;
  readonly position: number;
  readonly kind: string;
  readonly object_id: number;
  readonly title: string;
  readonly op: string;
  readonly fields: string;
  readonly trash_id: number | null;
}

const journals = contentTable('journals');
const objects = contentTable('journal_objects');

export const findJournal = journals.findBy(['source', 'key']);
export const setRevertedBy = journals.updateBy(['id'], ['reverted_by']);
export const updateJournal = journals.updateBy(['id'], ['objects', 'effects']);
export const deleteJournal = journals.removeBy('id');
export const listObjects = objects.listBy(['journal_id'], ['position']);
export const deleteObjects = objects.removeBy('journal_id');
export const insertObject = objects.insert(
  ...(['journal_id', 'position', 'kind', 'object_id', 'title', 'op', 'fields', 'trash_id'] as const),
);

/** Stores a journal and answers with its ID. */
export async function insertJournal(db: ContentDb, row: Omit<JournalRow, 'id'>): Promise<number> {
  return Number((await insertOne.first(db, row))?.id);
}

/** Deletes the journals from before a time, but those of change sets, which are history. */
export async function deleteJournalsBefore(db: ContentDb, before: number): Promise<void> {
  await removeOld.run(db, { before });
}

const insertOne = contentQuery((db, p: Omit<JournalRow, 'id'>) =>
  db
    .insertInto('journals')
    .values({
      ...{ source: p.source, key: p.key, at: p.at, objects: p.objects },
      ...{ reverted_by: p.reverted_by, effects: p.effects },
    })
    .returning('id'),
);

const removeOld = contentQuery((db, p: { before: number }) =>
  db.deleteFrom('journals').where('at', '<', p.before).where('source', '<>', 'change_set'),
);
