import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** The sender of a request, as far as it is known. */
export interface Client {
  /** Address in its usual spelling; an IPv4-mapped IPv6 address as IPv4. Empty if it is not known. */
  readonly address: string;
  /**
   * The key by which limits count: the IPv4 address, or the /64 network of an IPv6 address, because a client
   * with one address of such a network usually has all of them.
   */
  readonly key: string;
  /** Loopback, link-local or private. */
  readonly isLocal: boolean;
}

/**
 * The client of a request (Core, "Authentication", rule 10). Behind a proxy on a local or private address,
 * the client is the last entry of `X-Forwarded-For`, which the proxy has added. Other entries, and the header
 * of a direct client, can be forged and are ignored.
 *
 * @param peer address at the other end of the connection
 * @param forwardedFor value of `X-Forwarded-For`, empty when absent
 */
export function resolveClient(peer: string, forwardedFor: string): Client {
  if (forwardedFor === '') return parsedAddress(peer) ?? unknownClient;
  const connection = parsedAddress(peer);
  if (connection?.isLocal !== true) return connection ?? unknownClient;
  const last = forwardedFor.slice(forwardedFor.lastIndexOf(',') + 1).trim();
  return parsedAddress(withoutPort(last)) ?? connection;
}

const unknownClient: Client = { address: '', key: '', isLocal: false };

/**
 * Cached, because the same addresses come again and parsing one costs more than the rest of the way to a
 * handler.
 */
const known = new LRUCache<string, Client>({ max: 1000 });

let lastText = '';
let lastClient: Client | undefined;

/** Many requests have the same address as the one before. */
function parsedAddress(text: string): Client | undefined {
  if (text === lastText) return lastClient;
  lastClient = known.get(text) ?? parse(text);
  lastText = text;
  return lastClient;
}

function parse(text: string): Client | undefined {
  // ipaddr.js also accepts forms such as `127.1`, which no proxy writes; it needs a colon or three dots.
  if (text.length > 45 || !/^(?:\d+\.\d+\.\d+\.\d+|[\da-f:.]*:[\da-f:.]*)$/i.test(text)) return undefined;
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  const client = {
    address: address.toString(),
    key: keyOf(address),
    isLocal: localRanges.has(address.range()),
  };
  known.set(text, client);
  return client;
}

function keyOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

const localRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);

/** Some proxies write `1.2.3.4:5678` or `[::1]:5678`. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text;
}
