import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** Finds all addresses of a host name. @throws an error with the code of the system, such as `ENOTFOUND` */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** How long found addresses are used, in milliseconds. Every connection goes to addresses that were checked. */
const keptMs = 10_000;
/**
 * The system resolves names on threads that file access needs as well, so a name service that does not answer
 * must not take them all.
 */
const maxLookups = 2;

/** The resolver of the system, with short memory. Equal questions at the same time are asked once. */
export function systemResolver(): Resolve {
  const found = new LRUCache<string, readonly string[]>({ max: 1000, ttl: keptMs });
  const pending = new Map<string, Promise<readonly string[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function resolve(host: string): Promise<readonly string[]> {
    if (running >= maxLookups) await new Promise<void>((free) => waiting.push(free));
    running++;
    try {
      const answers = await lookup(host, { all: true, verbatim: true });
      const addresses = answers.map(({ address }) => address);
      found.set(host, addresses);
      return addresses;
    } finally {
      running--;
      pending.delete(host);
      waiting.shift()?.();
    }
  }

  return (host) => {
    const known = found.get(host);
    if (known !== undefined) return Promise.resolve(known);
    const asked = pending.get(host) ?? resolve(host);
    pending.set(host, asked);
    return asked;
  };
}
