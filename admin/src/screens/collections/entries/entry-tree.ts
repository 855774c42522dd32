import type { Collection, CollectionField } from '../../../content/collections.ts';
import type { EntryStore } from './entry-store.ts';

/** A field of an entry that holds blocks. */
export interface EntryTree {
  readonly collection: Collection;
  /** ID of the entry; 0 for a new one. */
  readonly entryId: number;
  readonly store: EntryStore;
  readonly field: CollectionField;
}
