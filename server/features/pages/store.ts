import { sql } from 'kysely';
import { columnNames } from '../../../runtime/content/columns.ts';
import { pageColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import { PageTreeEntry, type StoredPage, type StoredPageSummary } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    pages: ObjectColumns<typeof pageColumns>;
  }
}

/**
 * The table of pages. Other queries write the place in the tree (`tree-store.ts`) and the language versions
 * (`language-groups/store.ts`).
 */
const table = objectTable<StoredPage>()('pages', pageColumns, {
  keptByUpdates: [
    'parent_id',
    'root_id',
    'path',
    'sort',
    'translation_group',
    'source_url',
    'import_root',
    'notfound_page_id',
  ],
});

export const pages: typeof table = {
  ...table,
  // A page of which the caller may see only where it stands cannot be read.
  async find(db, id) {
    const page = await table.find(db, id);
    return page === undefined || isOutline(page) ? undefined : page;
  },
};

/** Whether the caller may see only where the page stands, because a page below it may be read (`readable-rows.ts`). */
export function isOutline({ updated_at }: Pick<StoredPage, 'updated_at'>): boolean {
  return updated_at === 0;
}

/** Apart from other updates: a trigger may delete references then, so each save would look for indexes of entries. */
export const setNotFoundPage = contentTable('pages').updateBy(['id'], ['notfound_page_id']);

/** Entries of a slice of a list: reading them takes about 2 ms. */
const sliceSize = 200;

/** All pages without what may be large, by parent and position; home pages first. */
export async function* listPages(db: ContentDb): AsyncGenerator<StoredPageSummary[]> {
  for await (const rows of selectPages.slices(db, {}, sliceSize)) {
    yield rows.map((row) => pages.fromRow(row));
  }
}

/** All pages with the fields of a tree, by parent and position; home pages first. */
export async function* listTree(db: ContentDb): AsyncGenerator<PageTreeEntry[]> {
  for await (const rows of selectTree.slices(db, {}, 2 * sliceSize)) {
    yield rows.map((row) => pages.fromRow(row));
  }
}

/** All home pages without what may be large. */
export async function listHomePages(db: ContentDb): Promise<StoredPageSummary[]> {
  return (await selectHomePages.all(db, {})).map((row) => pages.fromRow(row));
}

/** IDs of published pages, by website, parent and position. */
export async function listPublishedIds(db: ContentDb, limit: number): Promise<number[]> {
  return (await selectPublished.all(db, { limit })).map(({ id }) => id);
}

/** What the language of each page follows from. */
export function listLangs(
  db: ContentDb,
): AsyncGenerator<{ readonly root_id: number; readonly path: string; readonly lang: string }[]> {
  return selectLangs.slices(db, {}, 10 * sliceSize);
}

/** Stores a new page and answers with its ID; a home page becomes its own `root_id`. */
export async function insertPage(db: ContentDb, page: Omit<StoredPage, 'id'>): Promise<number> {
  const id = await pages.insert(db, page);
  if (page.parent_id === null) await setRoot.run(db, { id });
  return id;
}

const largeColumns: ReadonlySet<string> = new Set(['html', 'head', 'blocks', 'regions']);
const summaryColumns = columnNames(pageColumns).filter((name) => !largeColumns.has(name));

const selectPages = contentQuery((db, _p: object) =>
  db
    .selectFrom('pages')
    .select(summaryColumns)
    .orderBy('parent_id', (order) => order.asc().nullsFirst())
    .orderBy('sort')
    .orderBy('id'),
);

// Type boundary: the properties of the schema are exactly its keys.
const treeColumns = Object.keys(PageTreeEntry.properties) as (keyof PageTreeEntry)[];

const selectTree = contentQuery((db, _p: object) =>
  db
    .selectFrom('pages')
    .select(treeColumns)
    .orderBy('parent_id', (order) => order.asc().nullsFirst())
    .orderBy('sort')
    .orderBy('id'),
);

const selectHomePages = contentQuery((db, _p: object) =>
  db.selectFrom('pages').select(summaryColumns).where('parent_id', 'is', null).orderBy('sort').orderBy('id'),
);

const selectPublished = contentQuery((db, p: { limit: number }) =>
  db
    .selectFrom('pages')
    .select('id')
    .where('published', '=', 1)
    .orderBy('root_id')
    .orderBy('parent_id')
    .orderBy('sort')
    .limit(p.limit),
);

const selectLangs = contentQuery((db, _p: object) =>
  db.selectFrom('pages').select(['root_id', 'path', 'lang']),
);

const setRoot = contentQuery((db, p: { id: number }) =>
  db.updateTable('pages').set({ root_id: p.id }).where('id', '=', p.id),
);

/** A page that does not fit the tree: its path, its website or its parent; undefined if all fit. */
export async function faultInTree(db: ContentDb): Promise<string | undefined> {
  const page = await selectMisplaced.first(db, {});
  return page === undefined ? undefined : `page ${page.id} does not fit the place of its parent`;
}

/** In a circle no path can begin with that of the page above, so a tree without misplaced pages has none. */
const selectMisplaced = contentQuery((db, _p: object) =>
  db
    .selectFrom('pages')
    .leftJoin('pages as above', 'above.id', 'pages.parent_id')
    .select('pages.id')
    .where(
      sql<boolean>`NOT (CASE
        WHEN pages.parent_id IS NULL THEN pages.path = '/' AND pages.slug = '' AND pages.root_id = pages.id
        ELSE above.id IS NOT NULL AND pages.root_id = above.root_id AND pages.slug <> ''
          AND pages.slug NOT LIKE '%/%'
          AND pages.path = CASE above.path WHEN '/' THEN '' ELSE above.path END || '/' || pages.slug
        END)`,
    )
    .limit(1),
);
