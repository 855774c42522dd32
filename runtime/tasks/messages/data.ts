/** Tasks that read entries, and upkeep of the database. */
import type { ReadsSources } from './sources.ts';

/** Asks for the entries of a query (Data, Automation and Operations, GET /data/{slug}). */
export interface DataTask {
  readonly kind: 'data';
  readonly collectionId: number;
  /** Names and values of the query. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Whether drafts are shown. */
  readonly drafts: boolean;
  /** `values`: as templates see entries. `entries`: as the API shows them, with the number of all. */
  readonly form: 'values' | 'entries';
  /** A list with more entries is refused. */
  readonly maxEntries?: number | undefined;
}

export type DataResult =
  /** `count`: the number of all entries that the query fits. */
  | { readonly kind: 'data'; readonly json: Uint8Array; readonly count: number }
  /** `detail` as in `QueryFault`. */
  | {
      readonly kind: 'fault';
      readonly fault: 'field' | 'operator' | 'value';
      readonly field: string;
      readonly detail: string | undefined;
    }
  /** More entries than one answer may have. */
  | { readonly kind: 'too-many' }
  | { readonly kind: 'gone' };

/**
 * Makes and drops indexes of entries. The only task that writes to the database: an index of a million entries
 * takes seconds, which the main thread must not wait for.
 */
export interface IndexTask {
  readonly kind: 'index';
  readonly statements: readonly string[];
}

/** Copies the log of the database into its file, as far as no reader needs the log. */
export interface CheckpointTask {
  readonly kind: 'checkpoint';
}

/** Asks for the detail pages below a page, which follow from its templates. */
export interface DetailPagesTask extends ReadsSources {
  readonly kind: 'detail-pages';
  /** The source that names them; null = the collections that the page reads by address. */
  readonly source: unknown;
  readonly pageId: number;
}

export interface DetailPagesResult {
  /** Why the source has not answered. */
  readonly error?: string;
  readonly count: number;
  /** The first 10. `lastmod` in Unix seconds. */
  readonly sample: readonly { readonly path: string; readonly lastmod: number }[];
}
