import { sourceColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Source } from './model.ts';

export const sources = objectTable<Source>()('sources', sourceColumns);

export async function findIdBySlug(db: ContentDb, slug: string): Promise<number | undefined> {
  return (await selectBySlug.first(db, { slug }))?.id;
}

const selectBySlug = contentQuery((db, p: { slug: string }) =>
  db.selectFrom('sources').select('id').where('slug', '=', p.slug),
);
