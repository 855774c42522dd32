import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldFaults } from '../../../api/failure-text.ts';
import { useSession } from '../../../api/session.ts';
import { paths } from '../../../base/router/paths.ts';
import { CommandButton, CommandMenu } from '../../../commands/command-button.tsx';
import { useCommands } from '../../../commands/registry.ts';
import { runCommand } from '../../../commands/run.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { entryQuery } from '../../../content/entries.ts';
import { entryTitle } from '../../../content/entry-title.ts';
import { ConflictDialog } from '../../../editing/conflict-dialog.tsx';
import { DraftStrip } from '../../../editing/draft-strip.tsx';
import { useField, useIsChanged, useSaveState } from '../../../editing/editor-store.ts';
import { FailedStrip } from '../../../editing/failed-strip.tsx';
import { fieldsOf } from '../../../editing/fields.ts';
import { type OpenObject, useOpenObject } from '../../../editing/open-object.ts';
import { saveCall } from '../../../editing/save-call.ts';
import { SaveStateText } from '../../../editing/save-state-text.tsx';
import { ValueInput } from '../../../editors/fields/entry-fields.tsx';
import { OpenFailure } from '../../../kit/list/open-failure.tsx';
import { SidePanel } from '../../../ui/layout/side-panel.tsx';
import { StatusMark } from '../../../ui/messages/status-mark.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import { BlocksField } from './blocks-field.tsx';
import { entryCommands } from './entry-commands.ts';
import { EntryLanguages } from './entry-languages.tsx';
import {
  bodyOf,
  type EntryStore,
  type EntryValue,
  emptyValue,
  entryValue,
  fieldLabel,
  keyOf,
} from './entry-store.ts';
import { EntryVersions } from './entry-versions.tsx';

export interface EntryEditorProps {
  readonly collection: Collection;
  readonly id: number | 'new';
  /** Address of the list without the entry; undefined if there is no list. */
  readonly back?: string;
}

/** An entry in a form that its fields make. */
export function EntryEditor({ collection, id, back }: EntryEditorProps) {
  const isNew = id === 'new';
  const entryId = isNew ? 0 : id;
  const { data: entry, error } = useQuery({ ...entryQuery(collection.id, entryId), enabled: !isNew });
  const { data: session } = useSession();
  const user = session?.user?.id ?? 0;
  // A new entry has the ID of its collection, so that its draft is found again.
  const value = isNew ? emptyValue(collection) : entry === undefined ? undefined : entryValue(entry);
  const [name, key] = isNew ? ['new-item', collection.id] : [`item ${collection.id}`, entryId];
  const open = useOpenObject<EntryValue>(user, name, key, useStable(value));
  const { t } = useTranslation();
  if (open.store !== undefined)
    return (
      <OpenEntry
        key={`${name} ${key}`}
        collection={collection}
        id={id}
        open={open}
        store={open.store}
        back={back}
      />
    );
  if (error === null) return null;
  const list = { name: collection.name, path: back ?? paths.collection(collection.slug) };
  return <OpenFailure error={error} missing={t('entries.missing')} list={list} isPart />;
}

/** The same object as long as it says the same. */
function useStable(value: EntryValue | undefined): EntryValue | undefined {
  const [kept, setKept] = useState(value);
  if (kept?.id === value?.id && kept?.updated_at === value?.updated_at) return kept;
  setKept(value);
  return value;
}

interface OpenEntryProps {
  readonly collection: Collection;
  readonly id: number | 'new';
  readonly open: OpenObject<EntryValue>;
  readonly store: EntryStore;
  readonly back: string | undefined;
}

function OpenEntry({ collection, id, open, store, back }: OpenEntryProps) {
  const { t } = useTranslation();
  const isChanged = useIsChanged(store);
  const state = useSaveState(store);
  const [published] = useField(store, 'published');
  const commands = entryCommands(collection, id, store, back);
  useCommands([commands.save, commands.discard]);
  const nameOf = (key: string) => fieldLabel(collection, key);
  const data = Object.fromEntries(collection.fields.map(({ name }) => [name, store.base[keyOf(name)]]));
  const title = id === 'new' ? t('entries.new') : entryTitle(collection, { id, data });
  return (
    <SidePanel
      title={title}
      back={back}
      actions={
        <>
          <StatusMark status={isChanged ? 'unsaved' : published ? 'live' : 'draft'} />
          <SaveStateText store={store} />
          <CommandButton command={commands.save} />
          <CommandMenu
            label={t('page.more')}
            commands={[commands.discard, ...commands.more]}
            call={() =>
              saveCall(store, `/collections/${collection.id}/items/${id}?strict=true`, (changes) =>
                bodyOf(fieldsOf(changes)),
              )
            }
          />
        </>
      }
      strips={
        <>
          <DraftStrip {...open} nameOf={nameOf} />
          {state.kind === 'failed' && (
            <FailedStrip error={state.error} save={commands.save} saveAnyway={commands.save} />
          )}
          {state.kind === 'gone' && <Strip tone="brick">{t('code.gone')}</Strip>}
          {state.kind === 'conflict' && (
            <ConflictDialog
              store={store}
              nameOf={nameOf}
              // Type boundary: the state of a conflict holds what `load` of this editor has answered.
              theirs={state.theirs as EntryValue}
              onMerged={() => void runCommand(commands.save)}
            />
          )}
        </>
      }
    >
      {collection.fields.length === 0 && <p className="quiet line">{t('entries.noFields')}</p>}
      {collection.fields.map((field) => (
        <EntryField key={field.name} collection={collection} id={id} store={store} field={field} />
      ))}
      <Published store={store} />
      {typeof id === 'number' && (
        <>
          <EntryLanguages collection={collection} id={id} />
          <EntryVersions id={id} store={store} collection={collection} />
        </>
      )}
    </SidePanel>
  );
}

interface EntryFieldProps extends Pick<OpenEntryProps, 'collection' | 'id' | 'store'> {
  readonly field: CollectionField;
}

function EntryField({ collection, id, store, field }: EntryFieldProps) {
  const [value, setValue] = useField(store, keyOf(field.name));
  const state = useSaveState(store);
  const faults = state.kind === 'failed' ? fieldFaults(state.error) : {};
  const error = faults[field.name];
  if (field.type === 'blocks')
    return (
      <BlocksField
        collection={collection}
        entryId={id === 'new' ? 0 : id}
        store={store}
        field={field}
        error={error}
      />
    );
  return <ValueInput field={field} value={value ?? null} error={error} onChange={setValue} />;
}

function Published({ store }: { readonly store: EntryStore }) {
  const { t } = useTranslation();
  const [published, setPublished] = useField(store, 'published');
  return (
    <Checkbox
      label={t('entries.published')}
      description={t('entries.publishedHelp')}
      checked={published}
      onChange={(event) => setPublished(event.currentTarget.checked)}
    />
  );
}
