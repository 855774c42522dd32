import type { ExtdbTable, ExtdbTableDetail } from '../../model.ts';
import type { Query } from '../../query.ts';
import type { CallScope, ServiceAnswer } from '../../service-client.ts';
import type { Page, Row } from '../adapter.ts';
import { textIn } from '../reading.ts';
import type { NocoColumn } from './filter.ts';

/** A table with what only this adapter needs to know of it. */
export interface NocoTable {
  readonly detail: ExtdbTableDetail;
  /** By name. */
  readonly columns: ReadonlyMap<string, NocoColumn>;
  /** Names of columns that NocoDB adds to rows for itself. */
  readonly hidden: ReadonlySet<string>;
}

/** Parameters that choose rows: conditions and a saved view. */
export type RowFilter = Readonly<Record<string, string>>;

/** Values of the primary key by column. */
export type Key = Readonly<Record<string, unknown>>;

/** One version of NocoDB's API. */
export interface NocoApi {
  tables(scope: CallScope): Promise<Omit<ExtdbTable, 'ref'>[]>;
  table(table: ExtdbTable, scope: CallScope): Promise<NocoTable>;
  page(table: NocoTable, query: Query, filter: RowFilter, scope: CallScope): Promise<Page>;
  summary(table: NocoTable, query: Query, filter: RowFilter, scope: CallScope): Promise<unknown>;
  groups(table: NocoTable, query: Query, filter: RowFilter, scope: CallScope): Promise<unknown[]>;
  get(table: NocoTable, key: Key, scope: CallScope): Promise<Row | undefined>;
  create(table: NocoTable, record: Row, scope: CallScope): Promise<Row>;
  update(table: NocoTable, key: Key, record: Row, scope: CallScope): Promise<Row | undefined>;
  remove(table: NocoTable, key: Key, scope: CallScope): Promise<boolean>;
}

/** Most bases whose tables are listed. */
export const maxBases = 200;

/** The error for a page that begins behind the last row. */
export const offsetBehindEnd = 'ERR_INVALID_OFFSET_VALUE';

export const noPage: Page = { records: [], total: 0, limit: 0, hasMore: false, summary: {}, groups: [] };

/** A key that cannot be one, such as a text for a number, belongs to no row either. */
export function isMissing({ status, body }: ServiceAnswer): boolean {
  return status === 404 || textIn(body, 'error') === 'ERR_INVALID_PK_VALUE';
}

/** A key in an address: NocoDB joins the values of several columns with three underscores. */
export function keyText(key: Key): string {
  return encodeURIComponent(Object.values(key).map(String).join('___'));
}
