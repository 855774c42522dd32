/**
 * The website that a Host header selects, and the host of its absolute URLs (Core, "What the service does").
 * That host is the requested one if the website lists it as a domain, else the first domain of the website. A
 * website without domains uses the requested host.
 *
 * Render workers and the page cache call the same function, so an entry of the cache is never found under a
 * host that differs from the host of its absolute URLs.
 */

/** Domains of all websites. Plain data, so that it can cross threads. */
export interface SiteTable {
  readonly byDomain: ReadonlyMap<string, number>;
  /** The default website, else the oldest; undefined on an instance without websites. */
  readonly fallback: { readonly id: number; readonly domain: string } | undefined;
}

export interface SiteHost {
  readonly siteId: number;
  /** Host of absolute URLs; with the port of the request only where no domain is known. */
  readonly host: string;
  /** True if the host was taken from the request, because the website lists no domain. */
  readonly fromRequest: boolean;
}

interface Site {
  readonly id: number;
  readonly domains: string;
  readonly default_site: boolean;
}

/** @param sites root pages, oldest first. */
export function siteTable(sites: readonly Site[]): SiteTable {
  const byDomain = new Map<string, number>();
  for (const site of sites) {
    for (const domain of parseDomains(site)) {
      if (!byDomain.has(domain)) byDomain.set(domain, site.id);
    }
  }
  const fallback = sites.find((site) => site.default_site) ?? sites[0];
  return {
    byDomain,
    fallback: fallback && { id: fallback.id, domain: parseDomains(fallback)[0] ?? '' },
  };
}

/** The domains of a root page, one per line in storage. */
export function parseDomains(site: { readonly domains: string }): readonly string[] {
  return site.domains.split('\n').filter((line) => line !== '');
}

/** Undefined if the instance has no website. `requestHost` must satisfy `isHost`. */
export function resolveSite(table: SiteTable, requestHost: string): SiteHost | undefined {
  const name = hostName(requestHost);
  const listed = table.byDomain.get(name);
  if (listed !== undefined) return { siteId: listed, host: name, fromRequest: false };
  const fallback = table.fallback;
  if (fallback === undefined) return undefined;
  if (fallback.domain !== '') return { siteId: fallback.id, host: fallback.domain, fromRequest: false };
  return { siteId: fallback.id, host: requestHost, fromRequest: true };
}

/**
 * The website that an administrator has chosen for a host that no website lists (Core, "Public non-API
 * routes", `_site`). Undefined if a website lists the host, or if the chosen website does not exist.
 *
 * @param root the chosen home page
 * @param onEveryHost whether the host may belong to another website
 */
export function chosenSite(
  table: SiteTable,
  requestHost: string,
  root: { readonly id: number; readonly parent_id: number | null; readonly domains: string } | undefined,
  onEveryHost = false,
): SiteHost | undefined {
  if (root === undefined || root.parent_id !== null) return undefined;
  if (!onEveryHost && isAssigned(table, requestHost)) return undefined;
  const [domain] = parseDomains(root);
  return { siteId: root.id, host: domain ?? requestHost, fromRequest: domain === undefined };
}

/** Whether a website lists the host as a domain. */
export function isAssigned(table: SiteTable, requestHost: string): boolean {
  return table.byDomain.has(hostName(requestHost));
}

const hostPattern = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Whether a lower-case Host header is a name or address with an optional port, and nothing else. */
export function isHost(host: string): boolean {
  return hostPattern.test(host);
}

/** The host without port and without the dot of a fully qualified name. */
export function hostName(host: string): string {
  const name = host.replace(/:\d{1,5}$/, '');
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
