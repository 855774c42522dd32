import { createHash } from 'node:crypto';
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
