import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { Collection } from '../../../content/collections.ts';
import { entriesChanged } from '../../../content/entries.ts';
import { useAreVersionsAsked } from '../../../editors/versions/asked.ts';
import { RevisionList } from '../../../editors/versions/revision-list.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import classes from './entry-editor.module.css';
import { createEntryKey, type EntryStore } from './entry-store.ts';

export interface EntryVersionsProps {
  readonly collection: Collection;
  readonly store: EntryStore;
}

/** Earlier versions of an entry, opened on request. */
export function EntryVersions({ collection, store }: EntryVersionsProps) {
  const [isOpen, setOpen] = useState(useAreVersionsAsked());
  const data = Object.fromEntries(
    collection.fields.map(({ name }) => [name, store.base[createEntryKey(name)]]),
  );
  return (
    <section className={classes['section']}>
      <div>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<Icon name={isOpen ? 'caret-down' : 'caret-right'} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('history.title')}
        </Button>
      </div>
      {isOpen && (
        <RevisionList
          kind="item"
          store={store}
          current={{ data, published: store.base.published }}
          kept={t('entries.keptOfEntry')}
          changed={() => entriesChanged(collection.id)}
        />
      )}
    </section>
  );
}
