import type { EntryData, FieldDefinition } from '../../fields/definition.ts';
import type { FieldsOf } from '../columns.ts';
import type { collectionColumns, itemColumns, sourceColumns } from '../tables.ts';

/** What renders need to know of a collection. */
export type CollectionRecord = Pick<
  FieldsOf<typeof collectionColumns>,
  'id' | 'slug' | 'name' | 'singleton' | 'live' | 'detail_page_id' | 'detail_field' | 'lang'
> & { readonly fields: readonly FieldDefinition[] };

export type ItemRecord = Pick<
  FieldsOf<typeof itemColumns>,
  'id' | 'collection_id' | 'sort' | 'published' | 'translation_group' | 'created_at' | 'updated_at'
> & { readonly data: EntryData };

/** An entry in a preview that is not saved. It stands in place of the entry with its ID; 0 = a new one. */
export interface UnsavedItem {
  readonly collectionId: number;
  readonly id: number;
  readonly data: EntryData;
}

/** What the address of an entry is made from, and when the entry was changed last. */
export interface DetailRecord {
  readonly value: unknown;
  readonly updated_at: number;
  readonly translation_group: string;
}

/** What renders need to know of a REST source. */
export type SourceRecord = Pick<FieldsOf<typeof sourceColumns>, 'slug' | 'name' | 'url' | 'list_path'>;
