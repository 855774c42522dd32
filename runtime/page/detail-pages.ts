import { choosesByRoute, type Facts } from '../../compiler/index.ts';
import { splitName } from '../../grammar/names.ts';
import type { ContentCache } from '../content/content-cache.ts';
import type { CollectionRecord } from '../content/items/records.ts';
import type { ListedPage, PageRecord } from '../content/reader.ts';
import type { SourceData } from '../content/source-data.ts';
import type { Engine } from '../engine.ts';
import { detailPath } from './entry-address.ts';

/** An address below a catch-all page, or of a page, as the sitemap lists it. */
export type Address = Pick<ListedPage, 'path' | 'updated_at' | 'translation_group'>;

/** A detail page. */
export interface DetailAddress extends Address {
  /** Language of its collection; empty = none. */
  readonly lang: string;
}

/** A collection whose entries a page shows by their address, `item(coll, field, route.slug)`. */
interface DetailRead {
  readonly collection: CollectionRecord;
  readonly field: string;
}

/** Most templates that are looked through for one page. */
const maxTemplates = 500;

/**
 * The detail pages below a catch-all page, which follow from the collections that its templates read by address
 * (Core, "Public non-API routes", sitemap).
 */
export function detailAddresses(
  { memo, engine }: { readonly memo: ContentCache; readonly engine: Engine },
  page: Pick<PageRecord, 'path' | 'html'>,
): DetailAddress[] {
  const addresses = new Map<string, DetailAddress>();
  for (const { collection, field } of detailReads(memo, engine, page)) {
    for (const { value, updated_at, translation_group } of memo.items.details(collection, field)) {
      const path = detailPath(page.path, value);
      if (path === '' || addresses.has(path)) continue;
      addresses.set(path, { path, updated_at, translation_group, lang: collection.lang });
    }
  }
  return [...addresses.values()];
}

/**
 * Whether a catch-all page shows an entry and nothing else, so that its own address answers 404: its templates look for
 * the entry of the address, call `not_found()`, and use the address for nothing else.
 */
export function needsEntry(
  { memo, engine }: { readonly memo: ContentCache; readonly engine: Engine },
  page: Pick<PageRecord, 'path' | 'html'>,
): boolean {
  let findsEntry = false;
  let refuses = false;
  for (const { source, name, facts } of templatesOf(memo, engine, page)) {
    if (facts.collections.some(({ routeField }) => routeField !== null)) findsEntry = true;
    if (facts.functions.includes('not_found')) refuses = true;
    if (source.includes('route') && choosesByRoute(source, name)) return false;
  }
  return findsEntry && refuses;
}

/** Whether the page with an ID answers 404 at its own address, as {@link needsEntry} tells. */
export function isOnlyForEntries(
  tools: { readonly memo: ContentCache; readonly engine: Engine },
  pageId: number,
): boolean {
  const page = tools.memo.page(pageId);
  return page?.catch_all === true && needsEntry(tools, page);
}

/** The detail pages that a sitemap source names. @throws SourcesNeeded, Error if the source fails */
export function sourcedAddresses(
  { sources }: { readonly sources: SourceData },
  page: Pick<PageRecord, 'path' | 'updated_at'>,
  sitemapSource: unknown,
  isFresh = false,
): DetailAddress[] {
  return sources
    .addresses({ sitemapSource, ...(isFresh ? { isFresh } : {}) })
    .flatMap(({ part, lastmod }) => {
      const path = detailPath(page.path, part);
      const updated_at = lastmod === 0 ? page.updated_at : lastmod;
      return path === '' ? [] : [{ path, updated_at, translation_group: '', lang: '' }];
    });
}

function detailReads(
  memo: ContentCache,
  engine: Engine,
  page: Pick<PageRecord, 'path' | 'html'>,
): DetailRead[] {
  const reads = new Map<string, DetailRead>();
  for (const { facts } of templatesOf(memo, engine, page)) {
    for (const { slug, routeField: field } of facts.collections) {
      const collection = field === null ? undefined : memo.items.collection(slug);
      if (collection !== undefined && field !== null) reads.set(`${slug} ${field}`, { collection, field });
    }
  }
  return [...reads.values()];
}

interface UsedTemplate {
  readonly source: string;
  readonly name: string;
  readonly facts: Facts;
}

/** The template of a page and those that it names, directly or not. */
function* templatesOf(
  memo: ContentCache,
  engine: Engine,
  { html, path }: Pick<PageRecord, 'path' | 'html'>,
): Generator<UsedTemplate> {
  const seen = new Set<string>();
  const waiting = [{ source: html, name: path }];
  for (let next = waiting.pop(); next !== undefined && seen.size < maxTemplates; next = waiting.pop()) {
    const { description } = engine.inspect(next.source, next.name, { hasSnippet: () => true });
    if (description === undefined) continue;
    yield { ...next, facts: description.facts };
    for (const { name } of description.facts.dependencies) {
      const template = name === null ? undefined : splitName(name).template;
      if (template === undefined || seen.has(template)) continue;
      seen.add(template);
      const snippet = memo.snippet(template);
      if (snippet !== undefined) waiting.push({ source: snippet.content, name: template });
    }
  }
}
