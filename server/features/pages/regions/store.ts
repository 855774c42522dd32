import { contentQuery } from '../../../db/prepared.ts';
import type { ContentDb } from '../../../db/tables.ts';

/** IDs of the pages that have words, in ascending order. */
export async function listPagesWithWords(db: ContentDb): Promise<number[]> {
  return (await selectWithWords.all(db, {})).map(({ id }) => id);
}

const selectWithWords = contentQuery((db, _p: object) =>
  db.selectFrom('pages').select('id').where('regions', '<>', '{}').orderBy('id'),
);
