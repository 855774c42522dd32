import { OutgoingError } from './errors.ts';

/** The parts of a request that a redirect can change. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly hasBody: boolean;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that say nothing about the caller. All others stay with the origin that they were meant for. */
const impersonal: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
]);

export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status);
}

/**
 * The request that a redirect leads to.
 *
 * @param mayLeaveTls a redirect from https to http is followed
 * @throws OutgoingError `redirectRefused`
 */
export function nextHop(hop: Hop, status: number, location: string | undefined, mayLeaveTls: boolean): Hop {
  const refuse = (reason: string) => new OutgoingError('redirectRefused', hop.url.host, reason);
  const url = location === undefined ? null : URL.parse(location, hop.url.href);
  if (url === null) throw refuse('its target is missing or is no address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('its target is not http or https');
  if (url.username !== '' || url.password !== '') throw refuse('its target contains a user name');
  if (hop.url.protocol === 'https:' && url.protocol === 'http:' && !mayLeaveTls)
    throw refuse('it leads from https to http');
  url.hash = '';

  const becomesGet = (status === 303 && hop.method !== 'HEAD') || (status < 303 && hop.method === 'POST');
  const hasBody = hop.hasBody && !becomesGet;
  const staysHome = url.origin === hop.url.origin;
  if (hasBody && !staysHome) throw refuse('it would send the body to another origin');
  const headers = [...hop.headers].filter(
    ([name]) => (staysHome || impersonal.has(name)) && (hasBody || !name.startsWith('content-')),
  );
  return { method: becomesGet ? 'GET' : hop.method, url, headers: new Map(headers), hasBody };
}
