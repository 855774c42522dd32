import { defaultLang } from '../content/language.ts';
import type { PageFields, VersionRecord } from '../content/reader.ts';
import { parseDomains, type SiteHost } from '../content/site-host.ts';

/** A language version of a page; `url` is absolute. */
export interface Alternate {
  readonly lang: string;
  readonly url: string;
}

/** The data from which the origin of any website follows, in a request to the website `site`. */
export interface SiteOrigins {
  readonly site: SiteHost;
  readonly scheme: string;
  root(id: number): Pick<PageFields, 'domains'> | undefined;
}

/**
 * The published versions of one page by language, including the page itself (Core, "Public non-API routes",
 * sitemap). Empty if there is only one version. A version on another website counts only if that website has
 * a domain, because otherwise it has no address of its own.
 */
export function listAlternates(
  versions: readonly VersionRecord[],
  origins: SiteOrigins,
): readonly Alternate[] {
  const alternates = versions.flatMap(({ root_id, path, lang }) => {
    const origin = originOf(root_id, origins);
    return origin === undefined ? [] : [{ lang: lang || defaultLang, url: origin + path }];
  });
  if (alternates.length < 2) return [];
  return alternates.sort((left, right) => (left.lang < right.lang ? -1 : 1));
}

function originOf(rootId: number, { site, scheme, root }: SiteOrigins): string | undefined {
  if (rootId === site.siteId) return `${scheme}://${site.host}`;
  const page = root(rootId);
  const [domain] = page === undefined ? [] : parseDomains(page);
  return domain === undefined ? undefined : `${scheme}://${domain}`;
}
