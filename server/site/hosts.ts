import {
  isAssigned,
  isHost,
  resolveSite,
  type SiteHost,
  type SiteTable,
} from '../../runtime/page/site-host.ts';

/**
 * From the Host header to the first part of cache keys: website and host of its absolute URLs. Any number of
 * unlisted hosts share the entries of the website's first domain.
 *
 * - Depends on the domains of all websites, learned from a render worker.
 * - Invalidation: `clear()` at every change; until the table is learned anew, no host has a prefix.
 * - Limits: `MAX_ALIASES` remembered headers. Of a website without domains, whose pages carry the host of the
 *   request, `MAX_OPEN_HOSTS` hosts may be cached (open points 11, "Absolute URLs").
 */
export class HostPrefixes {
  #table: SiteTable | undefined;
  #aliases = new Map<string, string>();
  #openHosts = new Map<number, Set<string>>();

  /** Whether `learn` should be called with the next answer of a worker. */
  get wantsTable(): boolean {
    return this.#table === undefined;
  }

  /** Call only with a table of the current content version. */
  learn(table: SiteTable): void {
    this.#table = table;
  }

  /** Prefix for keys of a host; undefined if its pages are not in the cache. */
  prefixOf(host: string): string | undefined {
    const known = this.#aliases.get(host);
    if (known !== undefined) return known;
    if (this.#table === undefined || !isHost(host)) return undefined;
    const site = resolveSite(this.#table, host);
    if (site === undefined || (site.fromRequest && !this.#openHosts.get(site.siteId)?.has(site.host))) {
      return undefined;
    }
    if (this.#aliases.size >= MAX_ALIASES) this.#aliases.clear();
    const prefix = prefixOfSite(site);
    this.#aliases.set(host, prefix);
    return prefix;
  }

  /** Whether a host may be one that no website lists; true as long as the table is not known. */
  mayBeUnassigned(host: string): boolean {
    return this.#table === undefined || !isAssigned(this.#table, host);
  }

  /** Prefix under which something rendered for a website may be stored; undefined if it may not. */
  admit(site: SiteHost): string | undefined {
    if (site.fromRequest) {
      const hosts = this.#openHosts.get(site.siteId) ?? new Set();
      if (!hosts.has(site.host) && hosts.size >= MAX_OPEN_HOSTS) return undefined;
      this.#openHosts.set(site.siteId, hosts.add(site.host));
    }
    return prefixOfSite(site);
  }

  clear(): void {
    this.#table = undefined;
    this.#aliases = new Map();
    this.#openHosts = new Map();
  }
}

const MAX_ALIASES = 1000;
const MAX_OPEN_HOSTS = 8;

function prefixOfSite(site: SiteHost): string {
  return `${site.siteId}@${site.host}`;
}
