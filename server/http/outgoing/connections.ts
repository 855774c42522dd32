import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'undici';

/** Most hosts with open connections. */
const maxHosts = 64;
/** Most connections to one host. */
const maxConnections = 32;
/** How long a connection that nobody uses stays open, in milliseconds. */
const idleMs = 4_000;

export interface ConnectionOptions {
  /** Limit for one connection to be made, in milliseconds. */
  readonly connectMs: number;
  /** The address that stands for a checked one, for tests without the internet. Default: the same. */
  readonly route?: (address: string) => string;
}

/**
 * Connections to other hosts, kept for further requests. A pool belongs to one origin and the addresses that
 * were checked for it, and connects to nothing else: the name is not resolved again. Settings for proxies in
 * the environment have no effect.
 */
export class Connections {
  readonly #options: ConnectionOptions;
  readonly #pools = new LRUCache<string, Promise<Pool>>({
    max: maxHosts,
    // Requests that are under way end first.
    dispose: (pool) => void pool.then((open) => open.close()).catch(() => {}),
  });

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** @param addresses those of the origin's host, checked */
  to(origin: string, addresses: readonly string[]): Promise<Pool> {
    const key = [origin, ...[...addresses].sort()].join(' ');
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = openPool(origin, addresses, this.#options);
    this.#pools.set(key, pool);
    return pool;
  }

  /** Ends all connections, also those in use. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    await Promise.all(pools.map(async (pool) => (await pool).destroy()));
    this.#pools.clear();
  }
}

async function openPool(
  origin: string,
  addresses: readonly string[],
  { connectMs, route = (address) => address }: ConnectionOptions,
): Promise<Pool> {
  // Loaded with the first request: it would add a tenth of a second to the start of the server.
  const { buildConnector, Pool } = await import('undici');
  const connect = buildConnector({
    allowH2: false,
    timeout: connectMs,
    autoSelectFamily: addresses.length > 1,
    lookup: pinned(addresses.map(route)),
  });
  return new Pool(origin, { connect, connections: maxConnections, keepAliveTimeout: idleMs, pipelining: 1 });
}

/** Answers with the checked addresses, whatever the name service would say now. */
export function pinned(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const [first = { address: '', family: 4 }] = answers;
  return (_host, { all }, callback) => {
    if (all === true) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}
