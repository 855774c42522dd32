import type { LoggedChange, LoggedKind } from '../../runtime/content/change-log.ts';
import { type OverlaidTable, readOverlaidTable } from '../db/overlay-file.ts';
import type { ContentDb } from '../db/tables.ts';

/** What changes that are not committed would make of the content. */
export interface Overlay {
  readonly changes: readonly LoggedChange[];
  readonly tables: readonly OverlaidTable[];
}

/** Most rows of one table that an overlay has: what it costs, the main thread waits for. */
const maxRows = 2_000;

/**
 * The rows that renders and endpoints may read and that these changes have touched, as the connection sees them.
 *
 * @returns undefined if the log does not name them, or if they are too many
 */
export function readOverlay(db: ContentDb, changes: readonly LoggedChange[]): Overlay | undefined {
  const touched: TouchedRows[] = [];
  for (const change of changes) {
    const find = touchedRows[change.kind];
    if (find === undefined) return undefined;
    touched.push(...find(change));
  }
  const tables: OverlaidTable[] = [];
  for (const [name, ofTable] of Map.groupBy(touched, ([table]) => table)) {
    const columns = Map.groupBy(ofTable, ([, column]) => column);
    const hidden = new Map([...columns].map(([column, rows]) => [column, rows.map(([, , value]) => value)]));
    const table = readOverlaidTable(db, name, hidden, maxRows);
    if (table === undefined) return undefined;
    tables.push(table);
  }
  return { changes, tables };
}

/** A table, a column of it, and the value that the touched rows have there. */
type TouchedRows = readonly [table: string, column: string, value: number];

/** The rows of a change by its kind. Undefined: it may be any. */
const touchedRows: Readonly<
  Record<LoggedKind, ((change: LoggedChange) => readonly TouchedRows[]) | undefined>
> = {
  page: ({ id }) => [['pages', 'id', id]],
  page_assets: ({ id }) => [['page_assets', 'page_id', id]],
  snippet: ({ id }) => [['snippets', 'id', id]],
  snippet_assets: ({ id }) => [['snippet_assets', 'snippet_id', id]],
  asset: ({ id }) => [['assets', 'id', id]],
  redirect: ({ id }) => [['redirects', 'id', id]],
  file: ({ id }) => [['files', 'id', id]],
  collection: ({ id }) => [
    ['collections', 'id', id],
    ['item_counts', 'collection_id', id],
  ],
  item: ({ id, now, before }) => [
    ['items', 'id', id],
    ...[now, before].flatMap(({ parent_id: collectionId }) =>
      collectionId === null ? [] : [['item_counts', 'collection_id', collectionId] as const],
    ),
  ],
  items: ({ id }) => [
    ['items', 'collection_id', id],
    ['item_counts', 'collection_id', id],
  ],
  source: ({ id }) => [['sources', 'id', id]],
  global_block: ({ id }) => [['global_blocks', 'id', id]],
  folder: ({ id }) => [['folders', 'id', id]],
  workflow: ({ id }) => [['workflows', 'id', id]],
  flow_node: ({ id }) => [['flow_nodes', 'id', id]],
  pen: () => [],
  all: undefined,
};
