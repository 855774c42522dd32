import { Button } from '@mantine/core';
import { useState } from 'react';
import { failureText } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { paths } from '../../../base/router/paths.ts';
import { type Command, createDeletion } from '../../../commands/command.ts';
import { CommandButton } from '../../../commands/command-button.tsx';
import type { Collection } from '../../../content/collections.ts';
import { duplicateEntries } from '../../../content/duplicate/duplicate.ts';
import {
  allEntryIds,
  changeEntries,
  type EntryChange,
  EntryRefusal,
  entriesChanged,
} from '../../../content/entries.ts';
import { duplicateCommand } from '../../../kit/duplicate/duplicate-command.ts';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Strip } from '../../../ui/messages/strip.tsx';
import { showToast } from '../../../ui/messages/toasts.ts';
import { BulkBar } from '../../../ui/rows/bulk-bar.tsx';
import { SetField } from './set-field.tsx';

export interface EntriesBarProps {
  readonly collection: Collection;
  /** Query of the list, for "select all". */
  readonly query: string;
  /** Number of entries in the list. */
  readonly count: number;
  readonly selected: ReadonlySet<number>;
  onSelect(ids: ReadonlySet<number>): void;
}

/** What could not be done: nothing was changed yet, or what is left out was named. */
interface Refused {
  readonly change: EntryChange;
  readonly id: number;
  readonly reason: string;
}

/** What can be done with chosen entries: with all of them or with none, unless refused ones may be left out. */
export function EntriesBar({ collection, query, count, selected, onSelect }: EntriesBarProps) {
  const [refused, setRefused] = useState<Refused>();
  const apply = async (change: EntryChange, without: readonly number[] = []) => {
    setRefused(undefined);
    const ids = [...selected].filter((id) => !without.includes(id));
    try {
      await changeEntries(collection.id, ids, change);
    } catch (error) {
      if (!(error instanceof EntryRefusal)) throw error;
      setRefused({ change, id: error.id, reason: failureText(error.cause) });
      onSelect(new Set(ids));
      return;
    } finally {
      await entriesChanged(collection.id);
    }
    onSelect(new Set(without));
    if (ids.length > 0) showToast({ tone: 'done', message: t('entries.bulkDone', { count: ids.length }) });
  };
  const goOn = (without: Refused): Command => ({
    id: 'entries.goOn',
    label: 'entries.goOn',
    icon: 'arrow-right',
    run: () => apply(without.change, [without.id]),
  });
  const commands: readonly Command[] = [
    {
      id: 'entries.publish',
      label: 'page.publish',
      icon: 'rocket-launch',
      run: () => apply({ op: 'update', published: true }),
    },
    {
      id: 'entries.unpublish',
      label: 'page.unpublish',
      icon: 'eye-slash',
      run: () => apply({ op: 'update', published: false }),
    },
    {
      id: 'entries.set',
      label: 'entries.setField',
      icon: 'pencil-simple',
      run: () =>
        openDialog((onClose) => (
          <SetField
            fields={collection.fields}
            count={selected.size}
            apply={(data) => apply({ op: 'update', data })}
            onClose={onClose}
          />
        )),
    },
    duplicateCommand({
      copy: () => duplicateEntries(collection, [...selected]),
      path: (id) => paths.collection(collection.slug, id, query),
    }),
    createDeletion('entries.delete', 'entries.delete', () => apply({ op: 'delete' })),
  ];
  return (
    <BulkBar
      count={selected.size}
      onClear={() => onSelect(new Set())}
      notice={
        refused !== undefined && (
          <Strip
            tone="brick"
            actions={<CommandButton command={goOn(refused)} variant="default" size="compact-sm" />}
          >
            {t('entries.refused', { id: refused.id, reason: refused.reason })}
          </Strip>
        )
      }
    >
      {selected.size < count && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={async () => onSelect(new Set(await allEntryIds(collection.id, query)))}
        >
          {t('entries.selectAll', { count })}
        </Button>
      )}
      {commands.map((command) => (
        <CommandButton key={command.id} command={command} variant="default" size="compact-sm" />
      ))}
    </BulkBar>
  );
}
