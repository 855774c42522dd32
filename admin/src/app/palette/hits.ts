import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import { paths } from '../../base/router/paths.ts';
import { type Entry, serverQuery } from './rank.ts';

/** The server is asked so long after the last key, in milliseconds. */
const waitMs = 150;
const maxHits = 20;
const none: readonly Entry[] = [];

/** Entries and files that the server finds. They come later than the rest, so they stand below it. */
export function useHits(query: string): readonly Entry[] {
  const [text] = useDebouncedValue(serverQuery(query), waitMs);
  const { data } = useQuery({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      const params = { query: { q: text, limit: maxHits } };
      return (await requireData(api.GET('/search', { params, signal }))).map(
        ({ kind, id, title, collection }): Entry => ({
          id: `${kind} ${id}`,
          kind,
          title: title || `#${id}`,
          detail: collection,
          target: kind === 'item' ? paths.collection(collection, id) : paths.media({ file: id }),
        }),
      );
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  return text === '' || serverQuery(query) === '' ? none : (data ?? none);
}
