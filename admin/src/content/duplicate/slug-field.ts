import type { Collection, CollectionField } from '../../api/generated/schema.ts';

/** The field that is the last part of the address of entries; undefined if there is none that people write. */
export function findSlugField({
  fields,
  ...collection
}: Pick<Collection, 'fields' | 'detail_page_id' | 'detail_field'>): CollectionField | undefined {
  const name = collection.detail_page_id === 0 ? 'slug' : collection.detail_field;
  return fields.find((field) => field.name === name && field.type === 'text');
}
