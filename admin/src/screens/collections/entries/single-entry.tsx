import { useQuery } from '@tanstack/react-query';
import type { Collection } from '../../../content/collections.ts';
import { loadEntries } from '../../../content/entries.ts';
import { EntryEditor } from './entry-editor.tsx';

/** The one entry of a singleton, made with its first save. */
export function SingleEntry({ collection }: { readonly collection: Collection }) {
  const { data } = useQuery({
    queryKey: ['entries', collection.id, 'single'],
    queryFn: ({ signal }) => loadEntries(collection.id, '', { limit: 1, offset: 0, signal }),
  });
  if (data === undefined) return null;
  const id = data.rows[0]?.id ?? 'new';
  return <EntryEditor key={id} collection={collection} id={id} />;
}
