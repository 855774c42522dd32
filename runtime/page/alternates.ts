import type { PageFields, VersionRecord } from '../content.ts';
import { DEFAULT_LANG } from './lang.ts';
import { domainsOf, type SiteHost } from './site-host.ts';

/** A language version of a page; `url` is absolute. */
export interface Alternate {
  readonly lang: string;
  readonly url: string;
}

/** The address of a website as it is seen from a request to one of them. */
export interface SiteOrigins {
  readonly site: SiteHost;
  readonly scheme: string;
  root(id: number): Pick<PageFields, 'domains'> | undefined;
}

/**
 * The published versions of one page by language, itself among them (Core, "Public non-API routes", sitemap). None
 * where there is no second one. Versions on another website count if it has a domain, because without one it has no
 * address of its own.
 */
export function alternatesOf(versions: readonly VersionRecord[], origins: SiteOrigins): readonly Alternate[] {
  const alternates = versions.flatMap(({ root_id, path, lang }) => {
    const origin = originOf(root_id, origins);
    return origin === undefined ? [] : [{ lang: lang || DEFAULT_LANG, url: origin + path }];
  });
  if (alternates.length < 2) return [];
  return alternates.sort((left, right) => (left.lang < right.lang ? -1 : 1));
}

function originOf(rootId: number, { site, scheme, root }: SiteOrigins): string | undefined {
  if (rootId === site.siteId) return `${scheme}://${site.host}`;
  const page = root(rootId);
  const [domain] = page === undefined ? [] : domainsOf(page);
  return domain === undefined ? undefined : `${scheme}://${domain}`;
}
