import type { ContentReader, RedirectRecord } from '../content/reader.ts';
import { normalizePath } from './address.ts';
import { publicParameters } from './private-parameters.ts';

/** The redirect from a raw path, for use where the 404 page would appear (Core, "Redirects and 404 log"). */
export function findRedirect(
  reader: Pick<ContentReader, 'redirect'>,
  rootId: number,
  rawPath: string,
): RedirectRecord | undefined {
  return reader.redirect(rootId, normalizePath(rawPath));
}

/**
 * The address that a redirect sends the client to: its target. If the target has no query, the query of the
 * request is added without private parameters. ASCII only, so that it can stand in a header.
 *
 * @param query raw, without '?'
 */
export function computeLocation(target: string, query: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(target) ?? [];
  const passed = address.includes('?') ? '' : publicParameters(query);
  return inAscii(passed === '' ? target : `${address}?${passed}${fragment}`);
}

/** An address as it can stand in a header. */
export function inAscii(address: string): string {
  if (isPlain(address)) return address;
  // The host of a URL has an encoding of its own.
  const encoded = URL.canParse(address) ? new URL(address).href : address;
  return encoded.toWellFormed().replaceAll(unsafe, encodeURIComponent);
}

const unsafe = /[^\x21-\x7e]+/gu;

function isPlain(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}
