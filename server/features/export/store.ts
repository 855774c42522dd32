import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';

/** The paths of the published pages of a website, in slices. The connection must be in a transaction. */
export async function* listPublishedPaths(db: ContentDb, rootId: number): AsyncGenerator<string[]> {
  for await (const rows of selectPaths.slices(db, { rootId }, 1000)) yield rows.map(({ path }) => path);
}

const selectPaths = contentQuery((db, p: { rootId: number }) =>
  db
    .selectFrom('pages')
    .select('path')
    .where('root_id', '=', p.rootId)
    .where('published', '=', 1)
    .orderBy('id'),
);
