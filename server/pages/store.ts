import { sql } from 'kysely';
import { columnNames } from '../../runtime/content/columns.ts';
import { pageColumns } from '../../runtime/content/tables.ts';
import { objectTable } from '../db/object-table.ts';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb, ObjectColumns } from '../db/tables.ts';
import type { StoredPage, StoredPageSummary } from './model.ts';

declare module '../db/tables.ts' {
  interface ContentTables {
    pages: ObjectColumns<typeof pageColumns>;
  }
}

/**
 * The table of pages. Other queries write the place in the tree (`tree-store.ts`) and the language versions
 * (`translations/store.ts`).
 */
export const pages = objectTable<StoredPage>()('pages', pageColumns, {
  keptByUpdates: ['parent_id', 'root_id', 'path', 'sort', 'translation_group', 'source_url', 'import_root'],
});

/** All pages without `html` and `head`, by parent and position; home pages first. */
export async function listPages(db: ContentDb): Promise<StoredPageSummary[]> {
  return (await selectPages.all(db, {})).map((row) => pages.fromRow(row));
}

/** Stores a new page and answers with its ID; a home page becomes its own `root_id`. */
export async function insertPage(db: ContentDb, page: Omit<StoredPage, 'id'>): Promise<number> {
  const id = await pages.insert(db, page);
  if (page.parent_id === null) await setRoot.run(db, { id });
  return id;
}

const summaryColumns = columnNames(pageColumns).filter((name) => name !== 'html' && name !== 'head');

const selectPages = contentQuery((db, _p: object) =>
  db
    .selectFrom('pages')
    .select(summaryColumns)
    .orderBy(sql`coalesce(parent_id, 0)`)
    .orderBy('sort')
    .orderBy('id'),
);

const setRoot = contentQuery((db, p: { id: number }) =>
  db.updateTable('pages').set({ root_id: p.id }).where('id', '=', p.id),
);
