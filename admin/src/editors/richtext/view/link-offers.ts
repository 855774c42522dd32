/** Where a link can lead within the websites: pages, entries with a page of their own, files. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import type { SearchHit } from '../../../api/generated/schema.ts';
import { queryClient } from '../../../api/query-client.ts';
import { collections } from '../../../content/collections.ts';
import { entryQuery } from '../../../content/entries.ts';
import { fileQuery } from '../../../content/files.ts';
import { loadPageTree, usePageTree } from '../../../content/pages.ts';
import { pathBelow } from '../../../content/public-address.ts';

export interface LinkOffer {
  readonly kind: 'page' | 'item' | 'file';
  readonly title: string;
  readonly address: string;
}

const maxPages = 8;
const maxHits = 12;
/** The server is asked so long after the last key, in milliseconds. */
const waitMs = 150;
const none: readonly LinkOffer[] = [];

export function useLinkOffers(query: string): readonly LinkOffer[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const { data: pages = [] } = usePageTree();
  const ofPages = pages
    .filter(({ title, path }) => words.every((word) => `${title} ${path}`.toLowerCase().includes(word)))
    .slice(0, maxPages)
    .map(({ title, path }): LinkOffer => ({ kind: 'page', title, address: path }));
  const [text] = useDebouncedValue(query.trim(), waitMs);
  const { data: hits = none } = useQuery({
    queryKey: ['search', 'links', text],
    queryFn: async ({ signal }) => {
      const params = { query: { q: text, limit: maxHits } };
      const found = await requireData(api.GET('/search', { params, signal }));
      const offers = await Promise.all(found.map(toOffer));
      return offers.filter((offer) => offer !== undefined);
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  return [...ofPages, ...(text === '' ? none : hits)];
}

/** @returns undefined for an entry that no page shows */
async function toOffer({ kind, id, title, collection: slug }: SearchHit): Promise<LinkOffer | undefined> {
  if (kind === 'file') {
    const { url } = await queryClient.ensureQueryData(fileQuery(id));
    return { kind, title, address: url };
  }
  const all = await queryClient.ensureQueryData(collections.list());
  const collection = all.find((own) => own.slug === slug);
  const page = (await loadPageTree()).find((own) => own.id === collection?.detail_page_id);
  if (collection === undefined || page === undefined) return undefined;
  const { data } = await queryClient.ensureQueryData(entryQuery(collection.id, id));
  const part = String(data[collection.detail_field] ?? '');
  return part === '' ? undefined : { kind, title, address: pathBelow(page, part) };
}
