import { defaultLang } from '../../../runtime/content/language.ts';
import { pageTemplateName, type TemplateField, templateFields } from '../../../runtime/page/template-name.ts';
import { invalid } from '../../base/errors.ts';
import type { CheckedText, TextReport } from '../../changes/text-analysis.ts';
import type { InsidePlace, ObjectPlace } from '../../content/kinds/kind.ts';
import { mediaReferencesIn } from '../../content/kinds/references.ts';
import { normalizeDomains } from '../../content/sites/domains.ts';
import { listIdsAbove } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { PageState, PageUpdate, StoredPage } from './model.ts';
import { listRegionReferences, listRegionWarnings } from './regions/rules.ts';
import { normalizeLang, parseSitemapSource } from './rules.ts';
import { findChosenLang, listLanguagesIn } from './tree-store.ts';

/** A home page with default values; all flags default to false. */
export function emptyPage(now: number): Omit<StoredPage, 'id'> {
  return {
    parent_id: null,
    root_id: 0,
    slug: '',
    path: '/',
    sort: 0,
    title: '',
    meta_title: '',
    html: '',
    head: '',
    description: '',
    html_attrs: '',
    body_attrs: '',
    lang: '',
    translation_group: '',
    published: false,
    catch_all: false,
    no_cache: false,
    sitemap_exclude: false,
    noindex: false,
    nofollow: false,
    hide_in_nav: false,
    sitemap_source: null,
    source_url: '',
    import_root: 0,
    local_modified: false,
    domains: '',
    default_site: false,
    notfound_page_id: 0,
    og_image_file_id: 0,
    favicon_file_id: 0,
    robots_txt: '',
    zone: '',
    created_at: now,
    updated_at: now,
    blocks: [],
    regions: {},
  };
}

const plainFields = [
  'title',
  'meta_title',
  'html',
  'head',
  'description',
  'html_attrs',
  'body_attrs',
  'published',
  'catch_all',
  'no_cache',
  'sitemap_exclude',
  'noindex',
  'nofollow',
  'hide_in_nav',
  'og_image_file_id',
] as const satisfies readonly (keyof StoredPage & keyof PageUpdate)[];

/**
 * Merges the fields that every page has from a body into a page.
 *
 * @throws ApiError `translation.langInvalid`
 */
export function mergeFields<Base extends Omit<StoredPage, 'id'>>(page: Base, body: PageUpdate): Base {
  const merged: Base = { ...page, ...pick(body, plainFields) };
  if (body.lang !== undefined) merged.lang = normalizeLang(body.lang);
  merged.sitemap_source = sitemapSource(merged, body);
  return merged;
}

/** Merges the fields of a website from a body into a home page. Domains are normalised. */
export function mergeSiteFields<Base extends StoredPage>(page: Base, body: PageUpdate): Base {
  const merged: Base = {
    ...page,
    ...pick(body, ['default_site', 'notfound_page_id', 'favicon_file_id', 'robots_txt', 'zone']),
  };
  if (body.domains !== undefined) merged.domains = normalizeDomains(body.domains).join('\n');
  return merged;
}

/**
 * Checks the `sitemap_source` of a body, if it has one.
 *
 * @param wasCatchAll whether the page is catch-all unless the body says otherwise
 * @throws ApiError `common.invalid` for a wrong shape, and for a page that is not catch-all
 */
export function checkSitemapSource(body: PageUpdate, wasCatchAll: boolean): void {
  if (body.sitemap_source === undefined) return;
  const source = parseSitemapSource(body.sitemap_source);
  if (source !== null && !(body.catch_all ?? wasCatchAll))
    throw invalid('sitemap_source', 'is for catch-all pages only');
}

/** A page that is no longer catch-all loses its source. */
function sitemapSource(page: Omit<StoredPage, 'id'>, body: PageUpdate): StoredPage['sitemap_source'] {
  if (!page.catch_all) return null;
  return body.sitemap_source === undefined ? page.sitemap_source : parseSitemapSource(body.sitemap_source);
}

function pick<Body extends object, Name extends keyof Body>(
  body: Body,
  names: readonly Name[],
): Pick<Body, Name> {
  const picked: Partial<Pick<Body, Name>> = {};
  for (const name of names) if (Object.hasOwn(body, name)) picked[name] = body[name];
  // Type boundary: names that the body lacks are optional in its type, and stay absent here.
  return picked as Pick<Body, Name>;
}

/** The parts of a page that say where it stands. */
export type PlacedPage = Pick<StoredPage, 'id' | 'parent_id' | 'root_id' | 'lang'>;

/** Where a page stands. One that is new is not in the tree yet, so its parent says it. */
async function placePage(db: ContentDb, { id, parent_id, root_id, lang }: PlacedPage): Promise<ObjectPlace> {
  const above = parent_id === null ? [] : await listIdsAbove(db, parent_id);
  const inherited = lang !== '' || parent_id === null ? undefined : await findChosenLang(db, parent_id);
  return { site: root_id, pages: [id, ...above], language: lang || (inherited ?? defaultLang) };
}

/** The pages below a page that have a language of their own. */
async function listInside(db: ContentDb, { id, root_id, path }: StoredPage): Promise<readonly InsidePlace[]> {
  const inside: InsidePlace[] = [];
  for (const page of await listLanguagesIn(db, { rootId: root_id, path })) {
    if (page.id === id) continue;
    const line = await listIdsAbove(db, page.id);
    inside.push({ id: page.id, language: page.lang, pages: line.slice(0, line.indexOf(id)) });
  }
  return inside;
}

/** What others need of a page to decide about it and to record a change of it. */
export const pageIdentity = {
  name: 'page',
  rights: {
    code: ['html', 'head', 'html_attrs', 'body_attrs'],
    templates: ['meta_title', 'description'],
    place: placePage,
    listInside,
  },
  namesOf: ({ slug, title, path, root_id }: StoredPage) => ({ slug, name: title, path, root_id }),
  texts: (page: StoredPage) => listTexts(page),
  moreWarnings: ({ regions }: PageState, reports: readonly TextReport[]) =>
    listRegionWarnings(regions, reports),
  refersTo: ({
    assets,
    notfound_page_id,
    og_image_file_id,
    favicon_file_id,
    html_attrs,
    body_attrs,
    regions,
  }: PageState) => ({
    html_attrs: mediaReferencesIn(html_attrs),
    body_attrs: mediaReferencesIn(body_attrs),
    regions: listRegionReferences(regions),
    og_image_file_id: og_image_file_id === 0 ? [] : [{ kind: 'file', key: String(og_image_file_id) }],
    favicon_file_id: favicon_file_id === 0 ? [] : [{ kind: 'file', key: String(favicon_file_id) }],
    assets: assets.map(({ asset_id }) => ({ kind: 'asset', key: String(asset_id) })),
    notfound_page_id: notfound_page_id === 0 ? [] : [{ kind: 'page', key: String(notfound_page_id) }],
  }),
} as const;

/** The templates of a page, the content first. */
export function listTexts(page: TemplatePage): CheckedText[] {
  return templateFields.map((field) => toCheckedField(page, field));
}

type TemplatePage = Pick<StoredPage, 'path' | TemplateField>;

export function toCheckedField(page: TemplatePage, field: TemplateField): CheckedText {
  return { language: 'template', field, name: pageTemplateName(page.path, field), source: page[field] };
}
