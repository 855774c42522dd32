import { hostName, isHost } from '../../runtime/page/site-host.ts';
import type { ContentDb } from '../db/tables.ts';
import type { StoredPage } from './model.ts';
import { requirePage } from './service.ts';

/** Stands in where a request has no usable Host header. */
const unknownHost = 'localhost';

/** The Host header of a request if it is a host name or address. */
export function requestHost(host: string): string {
  return isHost(host) ? host : unknownHost;
}

/**
 * The absolute address of a page (open points 11, "Absolute URLs"): under the host of the request if the website
 * lists it, else under its first domain; a website without domains is looked at under the host of the request.
 *
 * @throws ApiError `common.notFound` when the website is gone
 */
export async function pageUrl(
  db: ContentDb,
  page: StoredPage,
  host: string,
  scheme: string,
): Promise<string> {
  const root = page.parent_id === null ? page : await requirePage(db, page.root_id);
  const domains = root.domains.split('\n').filter((domain) => domain !== '');
  const asked = requestHost(host);
  const named = domains.includes(hostName(asked)) ? hostName(asked) : (domains[0] ?? asked);
  return `${scheme}://${named}${page.path}`;
}
