/** The ways on which the entries of a query can be found, besides those that the planner of SQLite knows. */
import type { Condition } from './query.ts';

/** The entries that refer to others in one field, sorted by another field or in manual order. */
export interface LinkSet {
  readonly id: number;
  readonly field: string;
  /** Empty for the manual order. */
  readonly sort_field: string;
  readonly descending: boolean;
}

/** The indexes and links that a database has. */
export interface ItemAccess {
  /** Names of the indexes of entries by what they are on, as {@link indexSql} writes it. */
  itemIndexes(): ReadonlyMap<string, string>;
  linkSets(collectionId: number): readonly LinkSet[];
}

export type AccessPath =
  | { readonly kind: 'index'; readonly name: string }
  | {
      readonly kind: 'links';
      readonly set: LinkSet;
      readonly condition: Condition;
      /** Whether the links have the order of the query. */
      readonly isSorted: boolean;
    };
