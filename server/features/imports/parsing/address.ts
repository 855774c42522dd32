/** Addresses of other websites: when two are the same page, and what belongs to a website. */

/** An absolute http(s) address without fragment; undefined for everything else, such as `mailto:`. */
export function webAddress(text: string, base: string): URL | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > maxLength) return undefined;
  const url = URL.parse(trimmed, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '')
    return undefined;
  url.username = '';
  url.password = '';
  return url.href.length > maxLength ? undefined : url;
}

/** Longer addresses are left as they are. */
const maxLength = 4000;

/** An address without its fragment. */
export function withoutFragment(url: URL): string {
  const end = url.href.indexOf('#');
  return end < 0 ? url.href : url.href.slice(0, end);
}

/** Host in lower case with its port unless it is the default; `www.` does not count. */
export function siteHost(url: URL): string {
  return url.host.toLowerCase().replace(/^www\./, '');
}

export function isSameSite(url: URL, base: URL): boolean {
  return siteHost(url) === siteHost(base);
}

/**
 * The identity of a page. Addresses that differ in scheme, `www.`, a slash at the end, a name of the index file, the
 * spelling of percent-encoding, the order of the query or in parameters of campaigns and sessions are the same page.
 */
export function pageKey(url: URL): string {
  const query = queryOf(url);
  return `${siteHost(url)}${formatPath(url)}${query === '' ? '' : `?${query}`}`;
}

/** The key of the same page without its query. */
export function pageKeyWithoutQuery(url: URL): string {
  return `${siteHost(url)}${formatPath(url)}`;
}

/** The path as people read it, without slash at the end and name of the index file; `/` for a home page. */
export function formatPath(url: URL): string {
  const path = decodePath(url.pathname).replace(/\/(?:index\.(?:html?|php)|default\.aspx?)$/i, '/');
  const collapsed = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  return collapsed === '' ? '/' : collapsed;
}

function decodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => {
      try {
        return decodeURIComponent(segment).replaceAll('/', '%2F').normalize('NFC');
      } catch {
        return segment;
      }
    })
    .join('/');
}

/** Parameters that change nothing of a page. */
const ignoredParameter =
  /^(?:utm_.*|fbclid|gclid|dclid|msclkid|mc_[ce]id|phpsessid|jsessionid|sid|replytocom|_ga)$/i;

function queryOf(url: URL): string {
  if (url.search === '') return '';
  const kept = [...url.searchParams].filter(([name]) => !ignoredParameter.test(name));
  const query = new URLSearchParams(kept);
  query.sort();
  return query.toString();
}
