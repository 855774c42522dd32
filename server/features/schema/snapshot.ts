import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChangeNotice } from '../../changes/record.ts';
import type { TextAnalysis } from '../../changes/text-analysis.ts';
import { listSites } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import { listCollectionSchemas } from '../collections/service.ts';
import { listBlockTypes, listPageLayouts } from '../snippets/offers.ts';
import type { SchemaContent, SchemaSnapshot } from './model.ts';

/** The schema as it is stored now (Data, Automation and Operations, "Schema snapshot"). */
export async function readSnapshot(db: ContentDb, texts: TextAnalysis): Promise<SchemaSnapshot> {
  const collections = await listCollectionSchemas(db);
  const sites = await listSites(db);
  const blockTypes = await listBlockTypes(db);
  // The last one, because it waits for the analysis of templates when everything has been read.
  const layouts = await listPageLayouts(db, texts);
  const content: SchemaContent = {
    collections: collections.map((collection) => ({
      id: collection.id,
      slug: collection.slug,
      name: collection.name,
      lang: collection.lang,
      singleton: collection.singleton,
      public_api: collection.public_api,
      live: collection.live,
      detail_page_id: collection.detail_page_id,
      detail_field: collection.detail_field,
      fields: collection.fields,
    })),
    block_types: blockTypes,
    languages: languagesOf([...collections, ...sites]),
    sites,
    page_layouts: layouts,
  };
  return { version: versionOf(content), ...content };
}

/** The content has always the same fields in the same order, so its JSON is the same as long as its values are. */
function versionOf(content: SchemaContent): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

function languagesOf(objects: readonly { readonly lang: string }[]): string[] {
  return [...new Set(objects.map(({ lang }) => lang))].filter((lang) => lang !== '').sort();
}

/** A change of the schema as `schema.changed` tells it; block types have names and no IDs. */
export type SchemaChange = Omit<ChangeNotice, 'id'> & { readonly id?: number };

/** A list of the snapshot: the kind of its objects, what identifies one, and the names that are told of it. */
interface Part<Entry> {
  readonly kind: string;
  list(snapshot: SchemaSnapshot): readonly Entry[];
  keyOf(entry: Entry): number | string;
  namesOf(entry: Entry): Omit<SchemaChange, 'kind' | 'action'>;
}

function part<Entry>(of: Part<Entry>) {
  return (before: SchemaSnapshot, after: SchemaSnapshot): SchemaChange[] => differencesOf(of, before, after);
}

const parts = [
  part({
    kind: 'collection',
    list: ({ collections }) => collections,
    keyOf: ({ id }) => id,
    namesOf: ({ id, slug, name }) => ({ id, slug, name }),
  }),
  part({
    kind: 'block_type',
    list: ({ block_types }) => block_types,
    keyOf: ({ name }) => name,
    namesOf: ({ name }) => ({ name }),
  }),
  part({
    kind: 'page_layout',
    list: ({ page_layouts }) => page_layouts,
    keyOf: ({ id }) => id,
    namesOf: ({ id, name }) => ({ id, name }),
  }),
  part({
    kind: 'site',
    list: ({ sites }) => sites,
    keyOf: ({ id }) => id,
    namesOf: ({ id, title }) => ({ id, name: title }),
  }),
];

/** What has to be done to make one snapshot of the other. */
export function changesBetween(before: SchemaSnapshot, after: SchemaSnapshot): SchemaChange[] {
  return parts.flatMap((differences) => differences(before, after));
}

function differencesOf<Entry>(
  { kind, list, keyOf, namesOf }: Part<Entry>,
  before: SchemaSnapshot,
  after: SchemaSnapshot,
): SchemaChange[] {
  const old = new Map(list(before).map((entry) => [keyOf(entry), entry]));
  const changes: SchemaChange[] = [];
  for (const entry of list(after)) {
    const was = old.get(keyOf(entry));
    old.delete(keyOf(entry));
    if (was === undefined) changes.push({ kind, action: 'created', ...namesOf(entry) });
    else if (!isDeepStrictEqual(was, entry)) changes.push({ kind, action: 'updated', ...namesOf(entry) });
  }
  for (const entry of old.values()) changes.push({ kind, action: 'deleted', ...namesOf(entry) });
  return changes;
}
