import type { ContentCache } from '../content/content-cache.ts';
import type { CollectionRecord, ItemRecord } from '../content/items/records.ts';

/** The path of an entry below the detail page of its collection; empty if it has none. */
export function computeEntryAddress(
  memo: Pick<ContentCache, 'basics'>,
  { detail_page_id: pageId, detail_field: field }: CollectionRecord,
  { data }: Pick<ItemRecord, 'data'>,
  drafts: boolean,
): string {
  const page = pageId === 0 ? undefined : memo.basics(pageId);
  const part = Object.hasOwn(data, field) ? data[field] : null;
  if (page === undefined || !(page.published || drafts)) return '';
  return detailPath(page.path, part);
}

/** `/news` and `spring 1` give `/news/spring%201`; empty for a part that is no address. */
export function detailPath(pagePath: string, part: unknown): string {
  if ((typeof part !== 'string' && typeof part !== 'number') || part === '') return '';
  const encoded = String(part).toWellFormed().split('/').map(encodeURIComponent).join('/');
  return `${pagePath === '/' ? '' : pagePath}/${encoded}`;
}
