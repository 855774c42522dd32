/**
 * Links in templates: their parts, and `href`, the address of what they lead to, which is also what they print. It is
 * found anew by each render that looks at it, so that the render depends on what the link leads to.
 */
import type { ContentCache } from '../content/content-cache.ts';
import type { PageBasics } from '../content/reader.ts';
import { parseDomains } from '../content/site-host.ts';
import type { LinkData } from '../fields/link.ts';
import { fileValue } from '../files/file-value.ts';
import { printAsText } from '../values/printed.ts';
import { computeEntryAddress } from './entry-address.ts';

/** Where a link is shown. */
export interface LinkView {
  /** The website that shows it; to pages of others it leads by absolute addresses. */
  readonly rootId: number;
  /** Scheme of absolute addresses. */
  readonly scheme: string;
  /** Whether drafts are shown. */
  readonly drafts: boolean;
}

/** What addresses are found in. */
export type LinkMemo = Pick<ContentCache, 'basics' | 'file' | 'items'>;

/** A link as templates and `/data` see it. */
export type LinkValue = LinkData & { readonly href: string };

/** @param link as it is stored */
export function createLinkValue(memo: LinkMemo, link: LinkData, view: LinkView): LinkValue {
  const value = Object.assign(Object.create(null), link);
  const href = () => computeLinkAddress(memo, link, view);
  Object.defineProperty(value, 'href', { enumerable: true, get: href });
  return Object.freeze(printAsText(value, href));
}

/** The address of what a link leads to; empty if that is gone, a draft, or has no address. */
function computeLinkAddress(memo: LinkMemo, link: LinkData, view: LinkView): string {
  const { page, entry, file, url } = link;
  if (page !== undefined) return addressOfPage(memo, memo.basics(page), view);
  if (entry !== undefined) return addressOfEntry(memo, entry, view);
  if (file === undefined) return url ?? '';
  const record = memo.file(file);
  return record === undefined ? '' : fileValue(record, '').url;
}

function addressOfPage(memo: LinkMemo, page: PageBasics | undefined, view: LinkView): string {
  if (page === undefined || !(page.published || view.drafts)) return '';
  return addressAt(memo, page, page.path, view);
}

function addressOfEntry(memo: LinkMemo, id: number, view: LinkView): string {
  const item = memo.items.itemOfAny(id);
  if (item === undefined || !(item.published || view.drafts)) return '';
  const collection = memo.items.collectionById(item.collection_id);
  const page = collection && memo.basics(collection.detail_page_id);
  if (collection === undefined || page === undefined) return '';
  const path = computeEntryAddress(memo, collection, item, view.drafts);
  return path === '' ? '' : addressAt(memo, page, path, view);
}

/** The address of a path on the website of a page. Another website without a domain has none. */
function addressAt(
  memo: LinkMemo,
  { root_id }: Pick<PageBasics, 'root_id'>,
  path: string,
  { rootId, scheme }: LinkView,
): string {
  if (root_id === rootId) return path;
  const root = memo.basics(root_id);
  const [domain] = root === undefined ? [] : parseDomains(root);
  return domain === undefined ? '' : `${scheme}://${domain}${path}`;
}
