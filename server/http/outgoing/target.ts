import { parseAddress } from '../../base/ip-address.ts';
import { OutgoingError } from './errors.ts';

/**
 * Parses the address of a request. `URL` turns all notations of an IPv4 address (decimal, hexadecimal, with
 * fewer parts, full-width digits) into the usual one.
 *
 * @throws OutgoingError `urlInvalid`
 */
export function parseTarget(text: string | URL): URL {
  const url = URL.parse(String(text));
  if (url === null) throw new OutgoingError('urlInvalid', '', 'is not a complete URL');
  const fault = faultOf(url);
  if (fault !== undefined) throw new OutgoingError('urlInvalid', url.host, fault);
  url.hash = '';
  return url;
}

function faultOf({ protocol, username, password, host }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  return host === '' ? 'has no host' : undefined;
}

/** The host of an address as the rules compare it, and the host as an address if it is one. */
export function parseTargetHost(url: URL): { readonly host: string; readonly address: string | undefined } {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return { host, address: parseAddress(host) === undefined ? undefined : host };
}
