import { hostName } from '../../../../runtime/content/site-host.ts';
import { placeholders } from '../kinds.ts';

/** Longest host name (RFC 1035). */
const maxHostLength = 253;

/**
 * The host that a visit came from, in lower case and without port; the placeholder for none; undefined if it came
 * from the website itself.
 *
 * @param own domains of the website
 * @param host host that the visitor used
 */
export function findReferrer(header: string, own: readonly string[], host: string): string | undefined {
  const address = header === '' ? null : URL.parse(header);
  if (address === null) return placeholders.direct;
  const { protocol, hostname } = address;
  // An app may name itself in an address of another scheme.
  if (!['http:', 'https:', 'android-app:'].includes(protocol) || hostname === '') return placeholders.direct;
  const from = hostName(hostname.toLowerCase());
  if (from.length > maxHostLength) return placeholders.direct;
  return from === hostName(host) || own.includes(from) ? undefined : from;
}
