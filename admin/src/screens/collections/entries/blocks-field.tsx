import { Button, Input, Modal } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { useField } from '../../../editing/editor-store.ts';
import classes from '../../../editors/fields/entry-fields.module.css';
import { Icon } from '../../../ui/icons/icon.tsx';
import { createEntryKey } from './entry-store.ts';
import type { EntryTree } from './entry-tree.ts';

const EntryBlocks = lazy(async () => ({ default: (await import('./entry-blocks.tsx')).EntryBlocks }));

export interface BlocksFieldProps extends EntryTree {
  readonly error: string | undefined;
}

/** A field of an entry that holds blocks: how many there are, and the editor over the whole window. */
export function BlocksField({ collection, entryId, store, field, error }: BlocksFieldProps) {
  const [value] = useField(store, createEntryKey(field.name));
  const [isOpen, setOpen] = useState(false);
  const count = Array.isArray(value) ? value.length : 0;
  return (
    <Input.Wrapper label={field.label} labelElement="div" withAsterisk={field.required} error={error}>
      <fieldset className={classes['blocks']} aria-label={field.label}>
        <span className="quiet">{t('blocks.count', { count })}</span>
        <Button variant="default" leftSection={<Icon name="rows" />} onClick={() => setOpen(true)}>
          {t('blocks.edit')}
        </Button>
      </fieldset>
      {isOpen && (
        <Modal
          opened
          fullScreen
          // Escape belongs to the blocks: it goes from a text to its block, and further out.
          closeOnEscape={false}
          title={t('blocks.of', { name: field.label })}
          closeButtonProps={{ 'aria-label': t('actions.close') }}
          classNames={{ content: classes['window'] ?? '', body: classes['windowBody'] ?? '' }}
          onClose={() => setOpen(false)}
        >
          <Suspense>
            <EntryBlocks collection={collection} entryId={entryId} store={store} field={field} />
          </Suspense>
        </Modal>
      )}
    </Input.Wrapper>
  );
}
