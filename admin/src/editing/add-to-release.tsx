import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import type { ChangeSet } from '../api/generated/schema.ts';
import { t } from '../base/i18n/index.ts';
import { paths } from '../base/router/paths.ts';
import type { Command } from '../commands/command.ts';
import { addToRelease, changeSets, isOpen, isRelease } from '../content/releases/releases.ts';
import { FormDialog } from '../kit/form/form-dialog.tsx';
import { FormText } from '../kit/form/form-text.tsx';
import { useSubmit } from '../kit/form/submit.ts';
import { openDialog } from '../ui/floating/dialogs.ts';
import { showToast } from '../ui/messages/toasts.ts';
import type { Editable, EditorStore } from './editor-store.ts';
import type { Fields } from './merge/fields.ts';
import { type Preparation, pickLiveChanges } from './preparation.ts';

/** Puts the changes of an editor into a release in place of what is live. */
export function addToReleaseCommand<Value extends Editable>(
  store: EditorStore<Value>,
  preparation: Preparation<Value>,
): Command {
  return {
    id: 'releases.add',
    label: 'releases.add',
    icon: 'clock',
    can: () =>
      store.isChanged &&
      store.state.kind !== 'saving' &&
      Object.keys(pickLiveChanges(store, preparation)).length === 0,
    run: () =>
      openDialog((onClose) => (
        <AddToRelease add={(release) => sendTo(release, store, preparation)} onClose={onClose} />
      )),
  };
}

/** What was sent is unsaved no more; what was typed meanwhile is. */
async function sendTo<Value extends Editable>(
  { id, name }: ChangeSet,
  store: EditorStore<Value>,
  { kind, toBody }: Preparation<Value>,
): Promise<void> {
  const { base } = store;
  const sent: Fields = { ...store.changes };
  await addToRelease(
    id,
    { kind, id: base.id },
    { ...(toBody?.(base, sent) ?? sent), base_updated_at: base.updated_at },
  );
  const later = Object.entries({ ...store.changes }).filter(([field, value]) => value !== sent[field]);
  store.discard();
  store.setChanges(Object.fromEntries(later));
  showToast({ tone: 'done', message: t('releases.added', { name }), show: paths.release(id) });
}

/** In place of the ID of a release. */
const another = 'new';

/** Asks for a release, or makes one. */
export function AddToRelease({ add, onClose }: { add(release: ChangeSet): Promise<void>; onClose(): void }) {
  const { data: all } = changeSets.useList();
  const open = all?.filter((set) => isRelease(set) && isOpen(set));
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState('');
  const which = chosen ?? (open === undefined ? undefined : String(open[0]?.id ?? another));
  const sending = useSubmit(async () => {
    const known = open?.find(({ id }) => String(id) === which);
    await add(known ?? (await changeSets.create({ name })));
    onClose();
  });
  return (
    <FormDialog
      title={t('releases.addTitle')}
      submit={t('releases.addNow')}
      sending={sending}
      isIncomplete={which === undefined || (which === another && name.trim() === '')}
      onClose={onClose}
    >
      <Text>{t('releases.addLead')}</Text>
      {open !== undefined && open.length > 0 && (
        <Select
          label={t('releases.which')}
          allowDeselect={false}
          data={[
            ...open.map((set) => ({ value: String(set.id), label: set.name })),
            { value: another, label: t('releases.another') },
          ]}
          value={which ?? null}
          onChange={(value) => setChosen(value ?? another)}
        />
      )}
      {which === another && (
        <FormText
          isFirst
          label={t('fields.name')}
          value={name}
          error={sending.faults['name']}
          onChange={setName}
        />
      )}
    </FormDialog>
  );
}
