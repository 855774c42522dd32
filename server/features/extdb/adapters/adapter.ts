import type { ExtdbTable, ExtdbTableDetail } from '../model.ts';
import type { Query } from '../query.ts';
import type { CallScope } from '../service-client.ts';

export type Row = Readonly<Record<string, unknown>>;

/** One page of a table. */
export interface Page {
  readonly records: readonly Row[];
  /** Number of rows of all pages; undefined if the query does not ask for it. */
  readonly total: number | undefined;
  /** Rows of a page as the service has them, which may be fewer than the query asks for. */
  readonly limit: number;
  readonly hasMore: boolean;
  /** Sums and the like, by column and function. */
  readonly summary: unknown;
  readonly groups: readonly unknown[];
}

/** The table that a call is about, with its columns. */
export type Table = ExtdbTableDetail;

/**
 * One kind of database service. Columns of a query are columns of the table; that has been checked. What the
 * service cannot do is an `extdb.unsupported` that says what to do instead.
 */
export interface Adapter {
  /** Name of the service for people. */
  readonly service: string;
  version(scope: CallScope): Promise<string>;
  /** Readable tables without junction tables. `ref` is set by the caller. */
  tables(scope: CallScope): Promise<Omit<ExtdbTable, 'ref'>[]>;
  detail(table: ExtdbTable, scope: CallScope): Promise<ExtdbTableDetail>;
  list(table: Table, query: Query, scope: CallScope): Promise<Page>;
  /** Undefined if there is no such row. */
  get(table: Table, pk: unknown, scope: CallScope): Promise<Row | undefined>;
  create(table: Table, record: Row, scope: CallScope): Promise<Row>;
  /** Writes the columns of `record`. Undefined if there is no such row. */
  update(table: Table, pk: unknown, record: Row, scope: CallScope): Promise<Row | undefined>;
  /** False if there is no such row. */
  remove(table: Table, pk: unknown, scope: CallScope): Promise<boolean>;
}
