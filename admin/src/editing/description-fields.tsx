import { Textarea, TextInput } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { t } from '../base/i18n/index.ts';

type Name = 'name' | 'description';

/** The editor of an object that has a name and a description. */
interface DescribedStore {
  readonly subscribe: (listener: () => void) => () => void;
  get(name: Name): string;
  set(name: Name, value: string): void;
}

export interface DescriptionFieldProps {
  readonly store: DescribedStore;
  /** What the server has refused, by field. */
  readonly faults: Readonly<Record<string, string>>;
}

export function NameField({ store, faults }: DescriptionFieldProps) {
  const value = useSyncExternalStore(store.subscribe, () => store.get('name'));
  return (
    <TextInput
      label={t('fields.name')}
      value={value}
      error={faults['name']}
      onChange={(event) => store.set('name', event.currentTarget.value)}
    />
  );
}

export function DescriptionField({ store, faults }: DescriptionFieldProps) {
  const value = useSyncExternalStore(store.subscribe, () => store.get('description'));
  return (
    <Textarea
      label={t('fields.description')}
      value={value}
      error={faults['description']}
      onChange={(event) => store.set('description', event.currentTarget.value)}
    />
  );
}
