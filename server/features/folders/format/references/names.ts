/** How references are written in folders, and what they mean. */
import type { FolderContent } from '../content.ts';
import { readCollectionSlug, toCollectionKey } from '../kinds/collections.ts';
import { toPageKey, toPagePath } from '../kinds/pages.ts';
import type { PlaceLookup } from './places.ts';
import type { ReferencePlace, TargetKind } from './reference-place.ts';

/** What stands in a place that refers to the object with this key. */
export function toReference(
  key: string,
  { kind, collection }: Pick<ReferencePlace, 'kind' | 'collection'>,
): string {
  switch (kind) {
    case 'page':
      return toPagePath(key);
    case 'collection':
      return readCollectionSlug(key);
    case 'global_block':
      return key.slice('global-blocks/'.length, -'.json'.length);
    case 'item': {
      const name = key.slice(key.lastIndexOf('/') + 1);
      return collection === null || collection === 0 ? `${readCollectionSlug(key)}/${name}` : name;
    }
    default:
      return key;
  }
}

/** The keys that a reference may mean, best first. */
function listMeanings(value: string, kind: TargetKind, collection: unknown): readonly string[] {
  switch (kind) {
    case 'page':
      return value.startsWith('/') ? [toPageKey(value)] : [];
    case 'collection':
      return [toCollectionKey(value)];
    case 'global_block':
      return [`global-blocks/${value}.json`];
    case 'asset':
      return [value, `assets/${value}`];
    case 'file':
      return [value, `media/${value}`];
    case 'item': {
      const [slug = '', name] = value.includes('/') ? value.split('/') : [String(collection), value];
      return [`${toCollectionKey(slug).slice(0, -'collection.json'.length)}entries/${name}`];
    }
  }
}

/** The key of what a reference means; undefined if it means nothing. */
export function findMeaning(
  value: unknown,
  { kind, collection }: Pick<ReferencePlace, 'kind' | 'collection'>,
  has: (key: string) => boolean,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  return listMeanings(value, kind, collection).find(has);
}

/** Finds places in the objects of a folder. */
export function createLookup({ objects }: Pick<FolderContent, 'objects'>): PlaceLookup {
  return {
    findSchema: (name) =>
      objects.get(`snippets/${name}.html`)?.fields['schema'] ?? findSnippet(objects, name),
    findTree: (name) => objects.get(`global-blocks/${String(name)}.json`)?.fields['blocks'],
    findFields: (slug) => objects.get(toCollectionKey(slug))?.fields['fields'],
  };
}

/** A snippet whose file has an escaped name. */
function findSnippet(objects: FolderContent['objects'], name: string): unknown {
  for (const { kind, fields } of objects.values())
    if (kind === 'snippet' && fields['name'] === name) return fields['schema'];
  return undefined;
}
