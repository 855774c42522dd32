import { hostName, isHost } from '../../../runtime/content/site-host.ts';
import { apiError } from '../../base/errors.ts';
import { findHomePage } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { StoredPage } from './model.ts';

/** Used if a request has no valid Host header. */
const unknownHost = 'localhost';

/** The Host header of a request if it is a host name or address, else `localhost`. */
export function requestHost(host: string): string {
  return isHost(host) ? host : unknownHost;
}

/**
 * The absolute address of a page. Its host is the host of the request if the website lists it, else the first
 * domain of the website. A website without domains uses the host of the request.
 *
 * @throws ApiError `common.notFound` when the website is gone
 */
export async function pageUrl(
  db: ContentDb,
  page: StoredPage,
  host: string,
  scheme: string,
): Promise<string> {
  const root = page.parent_id === null ? page : await findHomePage(db, page.root_id);
  if (root === undefined) throw apiError('common.notFound', {});
  const domains = root.domains.split('\n').filter((domain) => domain !== '');
  const asked = requestHost(host);
  const named = domains.includes(hostName(asked)) ? hostName(asked) : (domains[0] ?? asked);
  return `${scheme}://${named}${page.path}`;
}
