/** The field of an entry that its address is made of. */
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { t } from '../../../base/i18n/index.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { findFreeName } from '../../../content/duplicate/names.ts';
import { findSlugField } from '../../../content/duplicate/slug-field.ts';
import { loadEntries } from '../../../content/entries.ts';
import { entryTitle } from '../../../content/entry-title.ts';
import { createSlug } from '../../../kit/form/slug.ts';
import { createEntryKey, type EntryStore } from './entry-store.ts';

/** Sets a field of a new entry; the slug follows the first text as long as nobody has written another one. */
export function setWithSlug(collection: Collection, store: EntryStore, name: string, value: unknown): void {
  const slugField = findSlugField(collection);
  const titleField = collection.fields.find((field) => field.type === 'text' && field !== slugField);
  if (slugField !== undefined && titleField?.name === name) {
    const slugKey = createEntryKey(slugField.name);
    const before = createSlug(textOf(store.get(createEntryKey(name))));
    const slug = textOf(store.get(slugKey));
    if (slug === '' || slug === before) store.set(slugKey, createSlug(textOf(value)) || null);
  }
  store.set(createEntryKey(name), value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Most entries whose slugs are looked at for a free one. */
const maxSimilar = 1000;
/** What is typed is compared so long after the last key, in milliseconds. */
const waitMs = 300;

/** Another entry with the same slug, and a slug that is free. */
function createDoubleQuery(collection: number, field: string, slug: string, own: number) {
  return queryOptions({
    queryKey: ['entries', collection, 'double', field, slug, own],
    queryFn: async () => {
      const find = (name: string) =>
        loadEntries(collection, new URLSearchParams({ [name]: slug }).toString(), {
          limit: maxSimilar,
          offset: 0,
        });
      const { rows: same } = await find(field);
      const other = same.find(({ id }) => id !== own);
      if (other === undefined) return null;
      const { rows: similar } = await find(`${field}__startswith`);
      return { other, free: findFreeName(slug, new Set(similar.map(({ data }) => data[field]))) };
    },
    enabled: slug !== '',
  });
}

export interface SlugHintProps {
  readonly collection: Collection;
  readonly field: CollectionField;
  readonly entryId: number;
  readonly value: unknown;
  onChange(slug: string): void;
}

/** Says below the field that another entry has the same address, of which only one can be shown. */
export function SlugHint({ collection, field, entryId, value, onChange }: SlugHintProps) {
  const [slug] = useDebouncedValue(textOf(value), waitMs);
  const { data: double } = useQuery(createDoubleQuery(collection.id, field.name, slug, entryId));
  if (double === undefined || double === null || slug !== value) return null;
  return (
    <p className="quiet" role="status">
      {t('entries.sameAddress', { title: entryTitle(collection, double.other) })}{' '}
      <Button size="compact-xs" variant="default" onClick={() => onChange(double.free)}>
        {t('entries.useFree', { slug: double.free })}
      </Button>
    </p>
  );
}
