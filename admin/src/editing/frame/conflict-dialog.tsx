import { Button, Group, SegmentedControl, Textarea } from '@mantine/core';

import { useMemo, useState } from 'react';
import { findText, t, timeText } from '../../base/i18n/index.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { ComparedValue, formatValue } from '../../ui/values/compared-value.tsx';
import type { Editable, EditorStore } from '../editor-store.ts';
import { toFieldRecord } from '../merge/fields.ts';
import { type FieldConflict, mergeFields } from '../merge/merge.ts';
import { joinWords } from '../merge/named-parts.ts';
import classes from './conflict-dialog.module.css';

export interface ConflictDialogProps<Value extends Editable> {
  readonly store: EditorStore<Value>;
  readonly theirs: Value;
  /** Name of a field that is not among the texts. */
  nameOf?(field: string): string | undefined;
  /** Called with the merged changes in the store, on top of their state. */
  onMerged(): void;
}

type Choice = 'mine' | 'theirs' | 'edit';

/** Both have saved: shows what merges by itself and asks only about what both have changed. */
export function ConflictDialog<Value extends Editable>({
  store,
  theirs,
  nameOf,
  onMerged,
}: ConflictDialogProps<Value>) {
  const merged = useMemo(
    () => mergeFields(toFieldRecord(store.base), toFieldRecord(store.changes), toFieldRecord(theirs)),
    [store, theirs],
  );
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const close = () => store.setState({ kind: 'idle' });
  const open = merged.conflicts.filter(({ field }) => choices[field] === undefined);
  const save = () => {
    const chosen: Record<string, unknown> = { ...merged.changes };
    for (const { field, mine } of merged.conflicts) {
      if (choices[field] === 'mine') chosen[field] = mine;
      if (choices[field] === 'edit') chosen[field] = edits[field] ?? mine;
    }
    store.rebase(theirs);
    store.setChanges(joinWords(chosen, toFieldRecord(theirs)));
    store.setState({ kind: 'idle' });
    onMerged();
  };
  const nameOfField = (field: string) => nameOf?.(field) ?? findText(`fields.${field}`) ?? field;
  const names = (fields: readonly string[]) => [...new Set(fields.map(nameOfField))].join(', ');
  return (
    <Dialog onClose={close} size={880} title={t('conflict.title')}>
      <p className={classes['lead']}>{t('errors.common.conflict', { time: timeText(theirs.updated_at) })}</p>
      <ul className={classes['merged']}>
        {merged.fromTheirs.length > 0 && (
          <li>{t('conflict.theirs', { fields: names(merged.fromTheirs) })}</li>
        )}
        {Object.keys(merged.changes).length > merged.fromBoth.length && (
          <li>
            {t('conflict.mine', {
              fields: names(Object.keys(merged.changes).filter((field) => !merged.fromBoth.includes(field))),
            })}
          </li>
        )}
        {merged.fromBoth.length > 0 && <li>{t('conflict.both', { fields: names(merged.fromBoth) })}</li>}
      </ul>
      {merged.conflicts.map((conflict, index) => (
        <ConflictField
          key={conflict.field}
          conflict={conflict}
          name={nameOfField(conflict.field)}
          place={t('conflict.place', { index: index + 1, count: merged.conflicts.length })}
          choice={choices[conflict.field]}
          edited={edits[conflict.field] ?? formatValue(conflict.mine)}
          onChoose={(choice) => setChoices({ ...choices, [conflict.field]: choice })}
          onEdit={(value) => setEdits({ ...edits, [conflict.field]: value })}
        />
      ))}
      <Group justify="flex-end" mt={16}>
        <Button variant="default" onClick={close}>
          {t('conflict.later')}
        </Button>
        <Button onClick={save} disabled={open.length > 0}>
          {t('conflict.save')}
        </Button>
      </Group>
    </Dialog>
  );
}

interface ConflictFieldProps {
  readonly conflict: FieldConflict;
  readonly name: string;
  readonly place: string;
  readonly choice: Choice | undefined;
  readonly edited: string;
  onChoose(choice: Choice): void;
  onEdit(value: string): void;
}

function ConflictField({ conflict, name, place, choice, edited, onChoose, onEdit }: ConflictFieldProps) {
  const { mine, theirs } = conflict;
  const isText = typeof mine === 'string';
  const options = [
    { value: 'mine', label: t('conflict.takeMine') },
    { value: 'theirs', label: t('conflict.takeTheirs') },
    ...(isText ? [{ value: 'edit', label: t('conflict.edit') }] : []),
  ];
  return (
    <section className={classes['field']} aria-label={name}>
      <h3>
        {name} <span className="meta">{place}</span>
      </h3>
      <div className={classes['sides']}>
        <ComparedValue
          title={t('conflict.takeMine')}
          value={mine}
          other={theirs}
          isChosen={choice === 'mine'}
        />
        <ComparedValue
          title={t('conflict.takeTheirs')}
          value={theirs}
          other={mine}
          isChosen={choice === 'theirs'}
        />
      </div>
      <SegmentedControl
        aria-label={name}
        data={options}
        value={choice ?? ''}
        onChange={(value) => onChoose(value === 'mine' || value === 'edit' ? value : 'theirs')}
      />
      {choice === 'edit' && (
        <Textarea
          aria-label={t('conflict.edit')}
          minRows={3}
          maxRows={16}
          value={edited}
          onChange={(event) => onEdit(event.currentTarget.value)}
        />
      )}
    </section>
  );
}
