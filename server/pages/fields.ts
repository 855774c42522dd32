import { invalid } from '../errors.ts';
import type { PageUpdate, StoredPage } from './model.ts';
import { normalizeDomains, normalizeLang, parseSitemapSource } from './rules.ts';

/** A home page with nothing set (open points 12, "Pages": flags default to false). */
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
    created_at: now,
    updated_at: now,
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
 * A page with the fields of any page that a body holds.
 *
 * @throws ApiError `translation.langInvalid`, `common.invalid` for a file that does not exist or a
 *   `sitemap_source` on a page that is not catch-all
 */
export function mergeFields<Base extends Omit<StoredPage, 'id'>>(page: Base, body: PageUpdate): Base {
  const merged: Base = { ...page, ...pick(body, plainFields) };
  if (body.og_image_file_id !== undefined) checkImage('og_image_file_id', body.og_image_file_id);
  if (body.lang !== undefined) merged.lang = normalizeLang(body.lang);
  merged.sitemap_source = sitemapSource(merged, body);
  return merged;
}

/** A home page with the fields of a website that a body holds, domains normalised. */
export function mergeSiteFields(page: StoredPage, body: PageUpdate): StoredPage {
  if (body.favicon_file_id !== undefined) checkImage('favicon_file_id', body.favicon_file_id);
  const merged = {
    ...page,
    ...pick(body, ['default_site', 'notfound_page_id', 'favicon_file_id', 'robots_txt']),
  };
  if (body.domains !== undefined) merged.domains = normalizeDomains(body.domains).join('\n');
  return merged;
}

/** A page that stops being catch-all loses its source; sending one for such a page is an error. */
function sitemapSource(page: Omit<StoredPage, 'id'>, body: PageUpdate): StoredPage['sitemap_source'] {
  const source =
    body.sitemap_source === undefined ? page.sitemap_source : parseSitemapSource(body.sitemap_source);
  if (page.catch_all || source === null) return source;
  if (body.sitemap_source === undefined) return null;
  throw invalid('sitemap_source', 'is for catch-all pages only');
}

/** There are no files yet, so the only valid reference is none. */
function checkImage(field: string, id: number): void {
  if (id !== 0) throw invalid(field, 'is not the id of an image file');
}

function pick<Body extends object, Name extends keyof Body>(
  body: Body,
  names: readonly Name[],
): Pick<Body, Name> {
  const picked: Partial<Pick<Body, Name>> = {};
  for (const name of names) if (Object.hasOwn(body, name)) picked[name] = body[name];
  // The boundary: names that the body lacks are optional in it, and stay absent here.
  return picked as Pick<Body, Name>;
}
