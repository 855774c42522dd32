import { Button, Checkbox, Input, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { paths } from '../../../base/router/paths.ts';
import type { Collection, CollectionField } from '../../../content/collections.ts';
import { duplicateEntries } from '../../../content/duplicate/duplicate.ts';
import { findSlugField } from '../../../content/duplicate/slug-field.ts';
import { entryQuery } from '../../../content/entries.ts';
import { entryTitle } from '../../../content/entry-title.ts';
import { useField } from '../../../editing/editor-store.ts';
import { useEditStatus } from '../../../editing/frame/edit-status.ts';
import { EditorPanel } from '../../../editing/frame/editor-panel.tsx';
import { toFieldRecord } from '../../../editing/merge/fields.ts';
import { saveCall } from '../../../editing/save-call.ts';
import { type Editor, useEditor } from '../../../editing/use-editor.ts';
import { usePathFaults } from '../../../editing/use-form.ts';
import classes from '../../../editors/fields/entry-fields.module.css';
import { ValueInput } from '../../../editors/fields/entry-fields.tsx';
import { FieldSections } from '../../../editors/fields/field-sections.tsx';
import { joinFaults, pickFaults } from '../../../editors/fields/parts.ts';
import { isFieldShown } from '../../../editors/fields/shown-fields.ts';
import { duplicateCommand } from '../../../kit/duplicate/duplicate-command.ts';
import { OpenFailure } from '../../../kit/list/open-failure.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { StatusMark } from '../../../ui/messages/status-mark.tsx';
import {
  createCommand,
  entryDeletion,
  entryRequests,
  formatEntryLabel,
  prepareEntry,
} from './entry-commands.ts';
import { EntryLanguages } from './entry-languages.tsx';
import { EntryOnWebsite } from './entry-on-website.tsx';
import { SlugHint, setWithSlug } from './entry-slug.tsx';
import {
  createEntryKey,
  type EntryStore,
  type EntryValue,
  emptyValue,
  entryValue,
  fieldLabel,
  toEntryBody,
} from './entry-store.ts';
import type { EntryTree } from './entry-tree.ts';
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
  // A new entry has the ID of its collection, so that its draft is found again.
  const value = isNew ? emptyValue(collection) : entry === undefined ? undefined : entryValue(entry);
  const [kind, key] = isNew ? ['new-item', collection.id] : [`item ${collection.id}`, entryId];
  const editor = useEditor<EntryValue>({
    kind,
    id: key,
    value: useStable(value),
    save: { id: 'entry.save', label: ({ published }) => formatEntryLabel(id, published) },
    requests: () => entryRequests(collection, entryId),
    ...(isNew ? {} : { release: prepareEntry(collection.id, entryId) }),
  });
  if (editor !== undefined)
    return <OpenEntry key={`${kind} ${key}`} collection={collection} id={id} editor={editor} back={back} />;
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
  readonly editor: Editor<EntryValue>;
  readonly back: string | undefined;
}

function OpenEntry({ collection, id, editor, back }: OpenEntryProps) {
  const { store } = editor;
  const [published] = useField(store, 'published');
  const create = createCommand(collection, store, editor.save);
  const data = Object.fromEntries(
    collection.fields.map(({ name }) => [name, store.base[createEntryKey(name)]]),
  );
  return (
    <EditorPanel
      editor={id === 'new' ? { ...editor, save: create, saveAnyway: create } : editor}
      title={id === 'new' ? t('entries.new') : entryTitle(collection, { id, data })}
      back={back}
      isNew={id === 'new'}
      gone={t('code.gone')}
      nameOf={(key) => fieldLabel(collection, key)}
      status={<StatusMark status={useEditStatus(editor, published ? 'live' : 'draft')} />}
      call={() =>
        saveCall(store, `/collections/${collection.id}/items/${id}?strict=true`, (changes) =>
          toEntryBody(toFieldRecord(changes)),
        )
      }
      before={
        id === 'new' || collection.singleton
          ? []
          : [
              duplicateCommand({
                keep: editor.copying?.commands.keep,
                copy: () => duplicateEntries(collection, [id]),
                path: (copy) => paths.collection(collection.slug, copy),
              }),
            ]
      }
      deletion={id === 'new' ? undefined : entryDeletion(collection, id, back)}
    >
      <EntryOnWebsite collection={collection} id={id} store={store} />
      {collection.fields.length === 0 && <p className="quiet line">{t('entries.noFields')}</p>}
      <EntryForm collection={collection} id={id} store={store} />
      <Published store={store} />
      {typeof id === 'number' && (
        <>
          <EntryLanguages collection={collection} id={id} />
          <EntryVersions store={store} collection={collection} />
        </>
      )}
    </EditorPanel>
  );
}

/** The fields that the entry shows now. What is hidden keeps its value. */
function EntryForm({ collection, id, store }: Omit<EntryFieldProps, 'field'>) {
  const isShown = (field: CollectionField) => isFieldShown(field, (name) => store.get(createEntryKey(name)));
  // A text, so that only a change of what is shown draws the form again.
  const shown = useSyncExternalStore(store.subscribe, () =>
    collection.fields
      .filter(isShown)
      .map(({ name }) => name)
      .join(' '),
  ).split(' ');
  return (
    <FieldSections fields={collection.fields.filter(({ name }) => shown.includes(name))}>
      {(field) => <EntryField key={field.name} collection={collection} id={id} store={store} field={field} />}
    </FieldSections>
  );
}

interface EntryFieldProps extends Pick<OpenEntryProps, 'collection' | 'id'> {
  readonly store: EntryStore;
  readonly field: CollectionField;
}

function EntryField({ collection, id, store, field }: EntryFieldProps) {
  const [value, setValue] = useField(store, createEntryKey(field.name));
  const { error, inner } = pickFaults(usePathFaults(store), field.name);
  if (field.type === 'blocks')
    return (
      <BlocksField
        collection={collection}
        entryId={id === 'new' ? 0 : id}
        store={store}
        field={field}
        error={joinFaults({ error, inner })}
      />
    );
  const change = (next: unknown) =>
    id === 'new' ? setWithSlug(collection, store, field.name, next) : setValue(next);
  const input = (
    <ValueInput field={field} value={value ?? null} error={error} faults={inner} onChange={change} />
  );
  if (field !== findSlugField(collection)) return input;
  return (
    <div>
      {input}
      <SlugHint
        collection={collection}
        field={field}
        entryId={id === 'new' ? 0 : id}
        value={value}
        onChange={setValue}
      />
    </div>
  );
}

function Published({ store }: { readonly store: EntryStore }) {
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

const EntryBlocks = lazy(async () => ({ default: (await import('./entry-blocks.tsx')).EntryBlocks }));

interface BlocksFieldProps extends EntryTree {
  readonly error: string | undefined;
}

/** A field of an entry that holds blocks: how many there are, and the editor over the whole window. */
function BlocksField({ collection, entryId, store, field, error }: BlocksFieldProps) {
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
