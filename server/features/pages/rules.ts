import { bodyValidator } from '../../api/validate.ts';
import { apiError, invalid } from '../../base/errors.ts';
import { findReservedName } from '../../content/sites/reserved-paths.ts';
import { ExtdbSource, type SitemapSource, WorkflowSource } from './model.ts';

/**
 * Checks the slug of a page that is not a home page. Slugs are never changed silently.
 *
 * @throws ApiError `page.slugReserved`, `page.slugInvalid`
 */
export function checkSlug(slug: string, belowHome: boolean): void {
  if (belowHome && findReservedName(slug) !== undefined) throw apiError('page.slugReserved', { slug });
  if (!/^[a-z0-9][a-z0-9._-]{0,199}$/.test(slug))
    throw apiError('page.slugInvalid', { slug: slug.slice(0, 200) });
}

/** The URL path of a child. The path of the home page itself is `/`. */
export function childPath(parentPath: string, slug: string): string {
  return parentPath === '/' ? `/${slug}` : `${parentPath}/${slug}`;
}

/** Checks the time zone of a website; empty = that of the server. @throws ApiError `common.invalid` */
export function checkZone(zone: string): void {
  if (zone === '') return;
  try {
    // Offsets such as +02:00 are no names: they would not follow daylight saving time.
    if (!/^[A-Za-z]/.test(zone)) throw new RangeError('no name');
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw invalid('zone', 'must be the IANA name of a time zone such as Europe/Berlin');
  }
}

/** `langtag` of RFC 5646 in lower case, or private use alone. */
const languageTag = new RegExp(
  [
    '^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})',
    '(?:-[a-z]{4})?',
    '(?:-(?:[a-z]{2}|\\d{3}))?',
    '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*',
    '(?:-[a-wyz\\d](?:-[a-z\\d]{2,8})+)*',
    '(?:-x(?:-[a-z\\d]{1,8})+)?',
    '|x(?:-[a-z\\d]{1,8})+)$',
  ].join(''),
);

/**
 * A language tag in lower case; empty stays empty (inherited).
 *
 * @throws ApiError `translation.langInvalid`
 */
export function normalizeLang(lang: string): string {
  const normalized = lang.toLowerCase();
  if (normalized === '') return '';
  if (normalized.length > 100 || !languageTag.test(normalized))
    throw apiError('translation.langInvalid', { lang });
  return normalized;
}

/**
 * The value of `sitemap_source`: null, or one of the two shapes. It is not checked whether the connection,
 * table or workflow exists.
 *
 * @throws ApiError `common.invalid` for `sitemap_source`
 */
export function parseSitemapSource(value: unknown): SitemapSource | null {
  if (value === null) return null;
  const type = typeof value === 'object' ? Reflect.get(value ?? {}, 'type') : undefined;
  const validate = typeof type === 'string' ? sitemapSourceShapes.get(type) : undefined;
  if (validate === undefined) {
    throw invalid('sitemap_source', 'must be null or an object whose type is "extdb" or "workflow"');
  }
  // Type boundary: the value has passed the schema of its shape.
  return validate(value) as SitemapSource;
}

const sitemapSourceShapes = new Map([
  ['extdb', bodyValidator(ExtdbSource, 'sitemap_source')],
  ['workflow', bodyValidator(WorkflowSource, 'sitemap_source')],
]);
