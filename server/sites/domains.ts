import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalid } from '../errors.ts';

/**
 * The domains of a website, one per line: lower case, without scheme, port, path and duplicates.
 * International names are in the form in which they appear in requests (punycode).
 *
 * @throws ApiError `common.invalid` for `domains`
 */
export function normalizeDomains(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '').map(normalizeDomain))];
}

function normalizeDomain(line: string): string {
  const [, address, name] =
    /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:(\[[\da-f:.]+\])|([^\s/:?#@[\]]+))(?::\d{1,5})?(?:[/?#].*)?$/i.exec(
      line,
    ) ?? [];
  if (address !== undefined && isIPv6(address.slice(1, -1))) return address.toLowerCase();
  const ascii = name === undefined ? '' : domainToASCII(name.replace(/\.$/, ''));
  const isName = ascii.length <= 253 && /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.|$))+$/.test(ascii);
  if (!isName || ascii.endsWith('.')) {
    throw invalid('domains', `holds ${JSON.stringify(line.slice(0, 100))}, which is not a domain`);
  }
  return ascii;
}
