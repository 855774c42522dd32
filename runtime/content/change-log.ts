/**
 * The change log in content.db: one row for each row of content that was created, changed or deleted. Triggers
 * write it in the transaction of the change itself.
 *
 * The number of the newest row, `seq`, is the version of the content. A snapshot of the database has exactly
 * one, on every thread and in every process that reads the file.
 */

import type { Columns, FieldsOf } from './columns.ts';

/** What readers look an object up by, besides its ID. Fields that a kind does not have are null. */
export interface LookupKeys {
  readonly root_id: number | null;
  /** The page above a page, the collection of an entry. */
  readonly parent_id: number | null;
  /**
   * Path of a page or file, name of a snippet, asset or folder, source of a redirect, slug of a collection or
   * source; of an entry a JSON list of `field=value`.
   */
  readonly name: string | null;
  readonly translation_group: string | null;
}

/**
 * Kinds of rows in the change log. `items`: all entries of the collection with that ID. `all`: everything may have
 * changed. No page shows a `pen`.
 */
export const loggedKinds = [
  'page',
  'snippet',
  'asset',
  'redirect',
  'file',
  'folder',
  'page_assets',
  'snippet_assets',
  'collection',
  'item',
  'items',
  'source',
  'global_block',
  'workflow',
  'flow_node',
  'pen',
  'all',
] as const;
export type LoggedKind = (typeof loggedKinds)[number];

export interface LoggedChange {
  readonly seq: number;
  readonly kind: LoggedKind;
  /** ID of the object; of lists of assigned assets, the ID of their page or snippet. */
  readonly id: number;
  /** Sum of {@link pageParts}; 0 for other kinds than pages. */
  readonly parts: number;
  readonly now: LookupKeys;
  readonly before: LookupKeys;
}

/** What a change of a page touched. The triggers of content.db set the same numbers. */
export const pageParts = { basics: 1, listing: 2, domains: 4, lang: 8, catchAll: 16, languages: 32 } as const;

/** The columns of the change log that readers need, as stored. */
export const changeColumns = {
  seq: 'integer',
  kind: loggedKinds,
  id: 'integer',
  parts: 'integer',
  root_id: 'integer?',
  parent_id: 'integer?',
  name: 'text?',
  translation_group: 'text?',
  was_root_id: 'integer?',
  was_parent_id: 'integer?',
  was_name: 'text?',
  was_translation_group: 'text?',
} as const satisfies Columns;

export function loggedChange(row: FieldsOf<typeof changeColumns>): LoggedChange {
  const { seq, kind, id, parts, root_id, parent_id, name, translation_group } = row;
  return {
    seq,
    kind,
    id,
    parts,
    now: { root_id, parent_id, name, translation_group },
    before: {
      root_id: row.was_root_id,
      parent_id: row.was_parent_id,
      name: row.was_name,
      translation_group: row.was_translation_group,
    },
  };
}

const nowhere: LookupKeys = { root_id: null, parent_id: null, name: null, translation_group: null };

/** A change after which nothing read before is trusted. */
export function createFullInvalidation(seq: number): LoggedChange {
  return { seq, kind: 'all', id: 0, parts: 0, now: nowhere, before: nowhere };
}
