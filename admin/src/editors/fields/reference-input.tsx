import { ActionIcon, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { useCollection } from '../../content/collections.ts';
import { entryQuery, loadEntries } from '../../content/entries.ts';
import { entryTitle } from '../../content/entry-title.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { helpAbove } from '../../ui/layout/help-above.ts';
import classes from './entry-fields.module.css';
import type { ValueInputProps } from './value-input.ts';

/** Most entries on offer; more are found by typing. */
const maxOffers = 30;

/** One entry of the linked collection, found by search. */
export function ReferenceInput({ field, value, error, help, onChange }: ValueInputProps) {
  const id = Number(value) || undefined;
  const titles = useTitles(field.collection, id === undefined ? [] : [id]);
  return (
    <EntrySelect
      label={field.label}
      help={help}
      isRequired={field.required}
      collection={field.collection}
      chosen={id}
      chosenTitle={id === undefined ? '' : titles(id)}
      error={error}
      onChoose={(next) => onChange(next ?? null)}
    />
  );
}

/** Several entries in an order. */
export function ReferencesInput({ field, value, error, help, onChange }: ValueInputProps) {
  const ids = Array.isArray(value) ? value.map(Number) : [];
  const titles = useTitles(field.collection, ids);
  const move = (index: number, by: number) => {
    const next = [...ids];
    next.splice(index + by, 0, ...next.splice(index, 1));
    onChange(next);
  };
  const without = (id: number) => {
    const next = ids.filter((other) => other !== id);
    onChange(next.length === 0 ? null : next);
  };
  return (
    <fieldset className={classes['references']} aria-label={field.label}>
      <EntrySelect
        label={field.label}
        help={help}
        isRequired={field.required}
        collection={field.collection}
        without={ids}
        error={error}
        onChoose={(id) => id !== undefined && onChange([...ids, id])}
      />
      {ids.length > 0 && (
        <ul className={classes['list']}>
          {ids.map((id, index) => {
            const name = titles(id);
            return (
              <li key={id} className={classes['reference']}>
                <span>{name}</span>
                <ActionIcon
                  size={28}
                  aria-label={t('entries.earlier', { name })}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <Icon name="arrow-up" />
                </ActionIcon>
                <ActionIcon
                  size={28}
                  aria-label={t('entries.later', { name })}
                  disabled={index === ids.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <Icon name="arrow-down" />
                </ActionIcon>
                <ActionIcon size={28} aria-label={t('entries.unlink', { name })} onClick={() => without(id)}>
                  <Icon name="x" />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
    </fieldset>
  );
}

interface EntrySelectProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly isRequired?: boolean;
  /** ID of the collection to choose from. */
  readonly collection: number | null;
  /** The entry that is chosen; without it the input is for adding. */
  readonly chosen?: number | undefined;
  readonly chosenTitle?: string;
  /** Entries that are not on offer. */
  readonly without?: readonly number[];
  readonly error?: string | undefined;
  onChoose(id: number | undefined): void;
}

/** A choice among the entries of a collection, by search on the server. */
export function EntrySelect({
  label,
  help,
  isRequired = false,
  collection: collectionId,
  chosen,
  chosenTitle = '',
  without = [],
  error,
  onChoose,
}: EntrySelectProps) {
  const collection = useCollection(String(collectionId));
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query === chosenTitle ? '' : query, 200);
  const { data } = useQuery({
    queryKey: ['entries', collectionId, 'offers', asked],
    queryFn: ({ signal }) => {
      const search = asked === '' ? '' : String(new URLSearchParams({ _search: asked }));
      return loadEntries(collectionId ?? 0, search, { limit: maxOffers, offset: 0, signal });
    },
    enabled: collection !== undefined && collection !== null,
    placeholderData: keepPreviousData,
  });
  const offers =
    collection === undefined || collection === null
      ? []
      : (data?.rows ?? [])
          .filter(({ id }) => id !== chosen && !without.includes(id))
          .map((entry) => ({ value: String(entry.id), label: entryTitle(collection, entry) }));
  const current = chosen === undefined ? [] : [{ value: String(chosen), label: chosenTitle }];
  return (
    <Select
      {...helpAbove}
      label={label}
      description={help}
      withAsterisk={isRequired}
      placeholder={t('entries.chooseOf', { name: collection?.name ?? '' })}
      data={[...current, ...offers]}
      value={chosen === undefined ? null : String(chosen)}
      error={error}
      searchable
      clearable={!isRequired && chosen !== undefined}
      searchValue={query}
      onSearchChange={setQuery}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={t('entries.noHit')}
      onChange={(value) => {
        onChoose(value === null ? undefined : Number(value));
        if (chosen === undefined) setQuery('');
      }}
    />
  );
}

/** Titles of entries by their IDs; the number until the title is known. */
function useTitles(collectionId: number | null, ids: readonly number[]): (id: number) => string {
  const collection = useCollection(String(collectionId));
  const results = useQueries({
    queries: ids.map((id) => ({
      ...entryQuery(collectionId ?? 0, id),
      enabled: collectionId !== null,
      retry: false,
    })),
  });
  return (id) => {
    const entry = results[ids.indexOf(id)]?.data;
    if (entry === undefined || collection === undefined || collection === null) return `#${id}`;
    return entryTitle(collection, entry);
  };
}
