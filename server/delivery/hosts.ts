import {
  isAssigned,
  isHost,
  resolveSite,
  type SiteHost,
  type SiteTable,
} from '../../runtime/content/site-host.ts';
import type { Scheme } from '../http/origin.ts';

/**
 * Maps the Host header to the first part of cache keys: scheme, website and host of its absolute URLs. All hosts that
 * no website lists share the entries under the first domain of the fallback website.
 *
 * - Depends on the domains of all websites.
 * - Invalidation: `clear()` when websites or domains change. Until the domains are read again, no host has a prefix.
 * - Limits: at most `maxAliases` Host headers of each scheme are remembered. Pages of a website without domains
 *   contain the host of the request; of such a website at most `maxOpenHosts` hosts may be cached.
 */
export class HostPrefixes {
  readonly #loadTable: () => Promise<SiteTable>;
  #table: SiteTable | undefined;
  #loading: Promise<void> | undefined;
  /** Counts calls of `clear`. Domains that were read before a change are read again. */
  #generation = 0;
  #aliases = noAliases();
  #last: LastHost = noHost;
  #openHosts = new Map<number, Set<string>>();

  /** @param loadTable reads the domains of all websites as they are now */
  constructor(loadTable: () => Promise<SiteTable>) {
    this.#loadTable = loadTable;
  }

  /** Resolves when the domains are loaded. */
  ready(): Promise<void> {
    if (this.#table !== undefined) return Promise.resolve();
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Key prefix of a host; undefined if the pages of the host are not in the cache. */
  prefixOf(host: string, scheme: Scheme): string | undefined {
    const last = this.#last;
    // Most requests have the same host as the request before, and the very same text (see `validHost`).
    if (host === last.host && scheme === last.scheme) return last.prefix;
    const prefix = this.#findPrefix(host, scheme);
    if (prefix !== undefined) this.#last = { host, scheme, prefix };
    return prefix;
  }

  #findPrefix(host: string, scheme: Scheme): string | undefined {
    const aliases = this.#aliases[scheme];
    const known = aliases.get(host);
    if (known !== undefined) return known;
    if (this.#table === undefined || !isHost(host)) return undefined;
    const site = resolveSite(this.#table, host);
    if (site === undefined || (site.fromRequest && !this.#openHosts.get(site.siteId)?.has(site.host))) {
      return undefined;
    }
    if (aliases.size >= maxAliases) aliases.clear();
    const prefix = prefixOfSite(site, scheme);
    aliases.set(host, prefix);
    return prefix;
  }

  /** The website of a host; undefined if there is none, the host is not valid, or the domains are not loaded. */
  siteOf(host: string): SiteHost | undefined {
    return this.#table === undefined || !isHost(host) ? undefined : resolveSite(this.#table, host);
  }

  /** Whether it is possible that no website lists the host. True while the table is not loaded. */
  mayBeUnassigned(host: string): boolean {
    return this.#table === undefined || !isAssigned(this.#table, host);
  }

  /** Key prefix for storing a page or file of a website; undefined if it may not be stored. */
  admit(site: SiteHost, scheme: Scheme): string | undefined {
    if (site.fromRequest) {
      const hosts = this.#openHosts.get(site.siteId) ?? new Set();
      if (!hosts.has(site.host) && hosts.size >= maxOpenHosts) return undefined;
      this.#openHosts.set(site.siteId, hosts.add(site.host));
    }
    return prefixOfSite(site, scheme);
  }

  clear(): void {
    this.#generation += 1;
    this.#table = undefined;
    this.#aliases = noAliases();
    this.#last = noHost;
    this.#openHosts = new Map();
  }

  async #load(): Promise<void> {
    while (this.#table === undefined) {
      const generation = this.#generation;
      const table = await this.#loadTable();
      if (generation === this.#generation) this.#table = table;
    }
  }
}

interface LastHost {
  readonly host: string;
  readonly scheme: Scheme;
  readonly prefix: string | undefined;
}

const noHost: LastHost = { host: '', scheme: 'http', prefix: undefined };

const maxAliases = 1000;
const maxOpenHosts = 8;

function noAliases(): Record<Scheme, Map<string, string>> {
  return { http: new Map(), https: new Map() };
}

/** Pages contain absolute URLs, so those of another scheme have another prefix. */
function prefixOfSite({ siteId, host }: SiteHost, scheme: Scheme): string {
  return `${scheme}:${siteId}@${host}`;
}
