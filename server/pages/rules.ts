import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { apiError, invalid } from '../errors.ts';
import { bodyValidator } from '../http/validate.ts';
import { ExtdbSource, type SitemapSource, WorkflowSource } from './model.ts';

/** The language of a page when neither it nor a page above has one. */
export const defaultLang = 'de';

/** First segments that other parts of the service answer; only directly below a home page. */
const reservedSlugs = new Set(['cms-admin', 'api', 'media', '_assets', 'sitemap.xml']);

/**
 * Checks the slug of a page that is not a home page. Slugs are never changed silently.
 *
 * @throws ApiError `page.slugReserved`, `page.slugInvalid`
 */
export function checkSlug(slug: string, belowHome: boolean): void {
  if (belowHome && reservedSlugs.has(slug)) throw apiError('page.slugReserved', { slug });
  if (!/^[a-z0-9][a-z0-9._-]{0,199}$/.test(slug))
    throw apiError('page.slugInvalid', { slug: slug.slice(0, 200) });
}

/** The URL path of a child; the home page's own is `/`. */
export function childPath(parentPath: string, slug: string): string {
  return parentPath === '/' ? `/${slug}` : `${parentPath}/${slug}`;
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
 * The domains of a website, one per line: lower case, without scheme, port, path and doubles; international names
 * in the form in which they appear in requests (punycode).
 *
 * @throws ApiError `common.invalid` for `domains`
 */
export function normalizeDomains(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '').map(normalizeDomain))];
}

function normalizeDomain(line: string): string {
  const [, address, name] =
    /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:(\[[\da-f:.]+\])|([^\s/:?#@[\]]+))(?::\d{1,5})?(?:[/?#].*)?$/i.exec(
      line,
    ) ?? [];
  if (address !== undefined && isIPv6(address.slice(1, -1))) return address.toLowerCase();
  const ascii = name === undefined ? '' : domainToASCII(name.replace(/\.$/, ''));
  const isName = ascii.length <= 253 && /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.|$))+$/.test(ascii);
  if (!isName || ascii.endsWith('.')) {
    throw invalid('domains', `holds ${JSON.stringify(line.slice(0, 100))}, which is not a domain`);
  }
  return ascii;
}

/**
 * The value of `sitemap_source` (open points 12, "Pages"): null, or one of the two shapes. Whether the connection,
 * table or workflow exists is not looked at.
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
  // The boundary where a value that passed its schema takes the type made from it.
  return validate(value) as SitemapSource;
}

const sitemapSourceShapes = new Map([
  ['extdb', bodyValidator(ExtdbSource, 'sitemap_source')],
  ['workflow', bodyValidator(WorkflowSource, 'sitemap_source')],
]);
