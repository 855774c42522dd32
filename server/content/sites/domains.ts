import { isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { invalid } from '../../base/errors.ts';

/**
 * The domains of a website, one per line: lower case, without scheme, port, path and duplicates.
 * International names are in the form in which they appear in requests (punycode).
 *
 * @throws ApiError `common.invalid` for `domains`
 */
export function normalizeDomains(text: string): string[] {
  const domains: string[] = [];
  const wrong: string[] = [];
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    const line = written.trim();
    const domain = line === '' ? '' : normalizeDomain(line);
    if (domain === undefined) wrong.push(`line ${index + 1} ${faultOf(line)}`);
    else if (domain !== '') domains.push(domain);
  }
  if (wrong.length === 0) return [...new Set(domains)];
  const shown = wrong.slice(0, maxFaults).join('; ');
  throw invalid('domains', `must hold one domain per line, such as example.org, but ${shown}`);
}

/** Most wrong lines that an error names. */
const maxFaults = 5;

function normalizeDomain(line: string): string | undefined {
  const [, address, name] =
    /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:(\[[\da-f:.]+\])|([^\s/:?#@[\]]+))(?::\d{1,5})?(?:[/?#].*)?$/i.exec(
      line,
    ) ?? [];
  if (address !== undefined && isIPv6(address.slice(1, -1))) return address.toLowerCase();
  const ascii = name === undefined ? '' : domainToASCII(name.replace(/\.$/, ''));
  const isName = ascii.length <= 253 && /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.|$))+$/.test(ascii);
  return isName && !ascii.endsWith('.') ? ascii : undefined;
}

/** What is wrong with a line that is no domain. */
function faultOf(line: string): string {
  const shown = JSON.stringify(line.slice(0, 100));
  const reason = faults.find(([pattern]) => pattern.test(line))?.[1] ?? 'is not a domain';
  return `(${shown}) ${reason}`;
}

const faults: readonly (readonly [RegExp, string])[] = [
  [/[,;]|\S\s+\S/, 'has more than one word'],
  [/@/, 'is an address with a user name'],
  [/^[a-z][a-z\d+.-]*:\/\/(?:[/?#]|$)/i, 'has no domain after its scheme'],
  [/\p{Cc}/u, 'has a control character'],
  [/\.\.|^\./, 'has an empty part between dots'],
  [/[^./]{64}/, 'has a part of more than 63 characters'],
];
