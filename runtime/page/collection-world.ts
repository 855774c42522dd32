import type { EntryCache } from '../content/items/entry-cache.ts';
import type { ContentLookup } from '../engine.ts';
import { fieldTypes } from '../fields/types.ts';

/**
 * What findings about templates need to know of collections.
 *
 * @param changed a collection with other fields than it has
 */
export function collectionWorld(
  items: Pick<EntryCache, 'collection' | 'collectionById' | 'source'>,
  changed?: { readonly slug: string; readonly fields: readonly string[] },
): Required<Pick<ContentLookup, 'fieldsOf' | 'linkOf' | 'fileFunctionOf' | 'isLive'>> {
  return {
    fieldsOf(slug) {
      if (slug === changed?.slug) return new Set(changed.fields);
      const collection = items.collection(slug);
      if (collection === undefined) return items.source(slug) === undefined ? undefined : 'any';
      return new Set(collection.fields.map(({ name }) => name));
    },
    linkOf(slug, name) {
      const field = items.collection(slug)?.fields.find((known) => known.name === name);
      const linked = field === undefined ? undefined : items.collectionById(field.collection ?? 0);
      if (field === undefined || linked === undefined) return undefined;
      return { slug: linked.slug, isList: fieldTypes[field.type].compares === 'ids' };
    },
    fileFunctionOf(slug, name) {
      const type = items.collection(slug)?.fields.find((known) => known.name === name)?.type;
      return type === 'image' || type === 'file' ? type : undefined;
    },
    isLive: (slug) => items.collection(slug)?.live === true,
  };
}
