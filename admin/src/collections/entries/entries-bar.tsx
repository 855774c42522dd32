import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../api/failure-text.ts';
import type { Command } from '../../commands/command.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { text } from '../../i18n/index.ts';
import { BulkBar } from '../../ui/bulk-bar.tsx';
import { Strip } from '../../ui/strip.tsx';
import { showToast } from '../../ui/toasts.ts';
import type { Collection } from '../queries.ts';
import { allEntryIds, deleteEntry, type EntryFields, entriesChanged, putEntry } from './queries.ts';
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

/** What could not be done, by the reason. */
type Refusals = ReadonlyMap<string, readonly number[]>;

/** What can be done with chosen entries. Entries that refuse it stay chosen, and are named with the reason. */
export function EntriesBar({ collection, query, count, selected, onSelect }: EntriesBarProps) {
  const { t } = useTranslation();
  const [refusals, setRefusals] = useState<Refusals>(new Map());
  const [isSetting, setSetting] = useState(false);
  const apply = async (change: (id: number) => Promise<unknown>) => {
    const failed = await applyToEach([...selected], change);
    await entriesChanged(collection.id);
    setRefusals(failed);
    const left = [...failed.values()].flat();
    onSelect(new Set(left));
    const done = selected.size - left.length;
    if (done > 0) showToast({ tone: 'done', message: text('entries.bulkDone', { count: done }) });
  };
  const update = (body: EntryFields) => apply((id) => putEntry(collection.id, id, body));
  const commands: readonly Command[] = [
    {
      id: 'entries.publish',
      label: 'page.publish',
      icon: 'rocket-launch',
      run: () => update({ published: true }),
    },
    {
      id: 'entries.unpublish',
      label: 'page.unpublish',
      icon: 'eye-slash',
      run: () => update({ published: false }),
    },
    { id: 'entries.set', label: 'entries.setField', icon: 'pencil-simple', run: () => setSetting(true) },
    {
      id: 'entries.delete',
      label: 'entries.delete',
      icon: 'trash',
      tone: 'danger',
      run: () => apply((id) => deleteEntry(collection.id, id)),
    },
  ];
  return (
    <>
      {[...refusals].map(([reason, ids]) => (
        <Strip key={reason} tone="brick">
          {t('entries.refused', { count: ids.length, ids: namesOf(ids), reason })}
        </Strip>
      ))}
      <BulkBar count={selected.size} onClear={() => onSelect(new Set())}>
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
      {isSetting && (
        <SetField
          fields={collection.fields}
          count={selected.size}
          apply={(data) => update({ data })}
          onClose={() => setSetting(false)}
        />
      )}
    </>
  );
}

/** Requests that run at the same time. */
const maxAtOnce = 4;

/** Does the same with each entry. @returns the entries that refused it, by the reason */
async function applyToEach(
  ids: readonly number[],
  change: (id: number) => Promise<unknown>,
): Promise<Refusals> {
  const refusals = new Map<string, number[]>();
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await change(id);
      } catch (error) {
        const reason = failureText(error);
        refusals.set(reason, [...(refusals.get(reason) ?? []), id]);
      }
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return refusals;
}

/** Most entries that are named. */
const maxNamed = 10;

function namesOf(ids: readonly number[]): string {
  const named = ids.slice(0, maxNamed).map((id) => `#${id}`);
  return named.join(', ') + (ids.length > maxNamed ? ', …' : '');
}
