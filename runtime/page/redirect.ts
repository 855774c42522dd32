import type { ContentReader, RedirectRecord } from '../content.ts';
import { normalizePath } from './address.ts';

/** The redirect from a raw path; asked for only where the 404 page would appear (Core, "Redirects and 404 log"). */
export function findRedirect(
  reader: ContentReader,
  rootId: number,
  rawPath: string,
): RedirectRecord | undefined {
  return reader.redirect(rootId, normalizePath(rawPath));
}

/** Parameters that open something for whoever holds them; they are not passed on to another address. */
const privateParameters = new Set(['token', 'exp', 'sig', 'preview', 'ic_preview', '_site']);

/**
 * Where a redirect sends a request: its target with the request's query, if it has none of its own (open points 11,
 * "Redirects"). ASCII only, so that it can stand in a header.
 *
 * @param query raw, without '?'
 */
export function locationOf(target: string, query: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(target) ?? [];
  const passed = address.includes('?') ? '' : publicParameters(query);
  const location = passed === '' ? target : `${address}?${passed}${fragment}`;
  if (isPlain(location)) return location;
  // The host of a URL has an encoding of its own.
  const encoded = URL.canParse(location) ? new URL(location).href : location;
  return encoded.toWellFormed().replaceAll(unsafe, encodeURIComponent);
}

function publicParameters(query: string): string {
  return query
    .split('&')
    .filter((parameter) => {
      const [[name = ''] = []] = [...new URLSearchParams(parameter)];
      return parameter !== '' && !privateParameters.has(name);
    })
    .join('&');
}

const unsafe = /[^\x21-\x7e]+/gu;

function isPlain(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}
