import type { ContentCache } from '../content/content-cache.ts';
import { defaultLang } from '../content/language.ts';
import type { PageBasics, PageFields, VersionRecord } from '../content/reader.ts';
import { hostName, parseDomains, type SiteHost } from '../content/site-host.ts';
import { filled } from '../values/map.ts';
import type { EntryVersions } from './entry-versions.ts';

/**
 * The variables `page`, `site` and `route` of a page template. All are plain data without a prototype, so
 * that a template can read only the fields that are listed here.
 */

/** Another published language version of a page. */
export interface TranslationValue {
  readonly lang: string;
  readonly title: string;
  /** The path; on another website the absolute URL. */
  readonly url: string;
  readonly path: string;
}

/** An asset that is assigned to a page itself. */
export interface PageAssetValue {
  readonly asset_id: number;
  readonly inherit: boolean;
  readonly name: string;
  readonly kind: string;
}

/** What the values of pages are read from. */
export interface PageSource {
  readonly memo: ContentCache;
  /** Scheme of absolute URLs. */
  readonly scheme: string;
  /** A tree in place of the stored one of a page. */
  readonly unsavedBlocks?: UnsavedBlocks | undefined;
  /** Whether a catch-all page answers 404 where it shows no entry. */
  isOnlyForEntries?(pageId: number): boolean;
}

/** The tree of a page that is not saved; nobody has checked it. */
export interface UnsavedBlocks {
  readonly pageId: number;
  readonly tree: unknown;
}

/**
 * `page`: the fields of a page without html and head, and `url`, `parent`, `effective_lang`, `blocks`,
 * `translations`.
 */
export interface PageValue extends PageFields {
  readonly effective_lang: string;
  readonly url: string;
  readonly blocks: unknown;
  /** In loading order. */
  readonly assets: readonly PageAssetValue[];
  readonly sitemap_source: unknown;
  /** In order of language. */
  readonly translations: readonly TranslationValue[];
  readonly parent: PageValue | null;
}

export interface SiteValue {
  readonly id: number;
  readonly title: string;
  /** Absolute, without a slash at the end. */
  readonly url: string;
  readonly domain: string;
  readonly lang: string;
  /** Languages of the published pages, in order. */
  readonly languages: readonly string[];
}

export interface RouteValue {
  readonly path: string;
  readonly slug: string;
  readonly rest: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Title and description of a page after their evaluation; empty texts fall back to the stored title. */
interface EvaluatedTexts {
  readonly metaTitle: string;
  readonly description: string;
}

/** The language versions of the entry that a render shows; undefined if it shows none. */
export type FindVersions = () => EntryVersions | undefined;

/** The page that is rendered. */
export function pageValue(
  source: PageSource,
  page: PageFields,
  texts: EvaluatedTexts,
  ofEntry: FindVersions = () => undefined,
): PageValue {
  const { memo } = source;
  const { parent_id: parentId } = page;
  const fields: Readonly<Record<string, unknown>> = page;
  // Every page that is rendered or linked has such an object: filling it field by field takes half the time of a copy.
  const value = Object.create(null);
  for (const name in fields) if (name !== 'html' && name !== 'head') value[name] = fields[name];
  value.meta_title = texts.metaTitle === '' ? page.title : texts.metaTitle;
  value.description = texts.description;
  value.effective_lang = memo.languages.effective(page);
  value.url = page.path;
  defineByNeed(value, 'blocks', () => blocksOf(source, page.id));
  defineByNeed(value, 'assets', () => assetsOf(memo, page.id));
  defineByNeed(value, 'sitemap_source', () => memo.sitemapSource(page.id));
  defineByNeed(value, 'translations', () => translationsOf(source, page, ofEntry()));
  defineByNeed(value, 'parent', () => parentOf(source, parentId));
  return Object.freeze(value);
}

/**
 * A page as it is stored: a `meta_title` that is a template is replaced by the title, a description that is a
 * template is empty. Texts are evaluated for the rendered page only.
 */
export function storedPageValue(source: PageSource, page: PageFields, ofEntry?: FindVersions): PageValue {
  const { meta_title: metaTitle, description } = page;
  const texts = { metaTitle: staticText(metaTitle), description: staticText(description) };
  return pageValue(source, page, texts, ofEntry);
}

export function siteValue({ memo, scheme }: PageSource, root: PageBasics, host: SiteHost): SiteValue {
  const value = Object.assign(Object.create(null), {
    id: root.id,
    title: root.title,
    url: `${scheme}://${host.host}`,
    // In a static export the host may have the path of the base behind it.
    domain: parseDomains(root).length > 0 ? host.host.replace(/\/.*/, '') : hostName(host.host),
    lang: root.lang || defaultLang,
  });
  defineByNeed(value, 'languages', () => memo.languages.ofSite(root.root_id));
  return Object.freeze(value);
}

/**
 * @param query raw, without `?`; of equal names the last counts, as in Django
 * @param onQuery called before a template reads the query for the first time
 */
export function routeValue(
  path: string,
  rest: readonly string[],
  query: string,
  onQuery: () => void,
): RouteValue {
  const value = Object.assign(Object.create(null), { path, slug: rest.join('/'), rest });
  defineByNeed(value, 'query', () => {
    onQuery();
    return query === ''
      ? noQuery
      : Object.freeze(filled(Object.create(null), [...new URLSearchParams(query)]));
  });
  return Object.freeze(value);
}

const noQuery: RouteValue['query'] = Object.freeze(Object.create(null));

/** Whether a text field is a template; most titles and descriptions are not. */
export function isTemplate(source: string): boolean {
  return source.includes('{{') || source.includes('{%') || source.includes('{#');
}

/** The block tree of a page. */
function blocksOf({ memo, unsavedBlocks }: PageSource, pageId: number): unknown {
  return unsavedBlocks?.pageId === pageId ? unsavedBlocks.tree : memo.pageBlocks(pageId);
}

function parentOf(source: PageSource, parentId: number | null): PageValue | null {
  const parent = parentId === null ? undefined : source.memo.pageFields(parentId);
  return parent === undefined ? null : storedPageValue(source, parent);
}

function assetsOf(memo: ContentCache, pageId: number): readonly PageAssetValue[] {
  return memo.ownAssetsOf(pageId).flatMap(({ asset_id, inherit }) => {
    const asset = memo.asset(asset_id);
    return asset === undefined ? [] : [plain({ asset_id, inherit, name: asset.name, kind: asset.kind })];
  });
}

/** The versions of the entry, and in languages that it does not have those of the page. */
function translationsOf(
  source: PageSource,
  page: PageFields,
  entry: EntryVersions | undefined,
): readonly TranslationValue[] {
  const { translation_group: group } = page;
  const grouped = group === '' ? [] : source.memo.languages.versions(group);
  const ofPage = otherVersions(source, page, page.id, withAnswer(source, page, grouped));
  if (entry === undefined) return ofPage;
  const ofEntry = otherVersions(source, page, entry.id, entry.versions);
  const known = new Set(ofEntry.map(({ lang }) => lang));
  return [...ofEntry, ...ofPage.filter(({ lang }) => !known.has(lang))].sort(byLang);
}

/** Versions of a catch-all page without those that answer 404 where they show no entry. */
export function withAnswer(
  { isOnlyForEntries }: Pick<PageSource, 'isOnlyForEntries'>,
  { id: ownId, catch_all: isCatchAll }: Pick<PageFields, 'id' | 'catch_all'>,
  versions: readonly VersionRecord[],
): readonly VersionRecord[] {
  if (!isCatchAll || isOnlyForEntries === undefined) return versions;
  return versions.filter(({ id }) => id === ownId || !isOnlyForEntries(id));
}

/** A version on another website counts only if that website has a domain: else it has no address. */
function otherVersions(
  { memo, scheme }: PageSource,
  page: PageFields,
  ownId: number,
  versions: readonly VersionRecord[],
): readonly TranslationValue[] {
  const others = versions.filter(({ id }) => id !== ownId);
  const translations = others.flatMap(({ root_id: rootId, lang, title, path }) => {
    const [domain] = rootId === page.root_id ? [''] : parseDomains(memo.basics(rootId) ?? { domains: '' });
    if (domain === undefined) return [];
    const url = domain === '' ? path : `${scheme}://${domain}${path}`;
    return [plain({ lang: lang || defaultLang, title, url, path })];
  });
  return translations.sort(byLang);
}

function byLang(left: TranslationValue, right: TranslationValue): number {
  return left.lang < right.lang ? -1 : 1;
}

/** Defines a field that is read at its first use, so that a page depends only on what its templates look at. */
function defineByNeed<Value>(target: object, name: string, read: () => Value): void {
  let value: { readonly read: Value } | undefined;
  Object.defineProperty(target, name, {
    enumerable: true,
    get: () => {
      value ??= { read: read() };
      return value.read;
    },
  });
}

function staticText(source: string): string {
  return isTemplate(source) ? '' : source;
}

function plain<T extends object>(fields: T): T {
  return Object.freeze(Object.assign(Object.create(null), fields));
}
