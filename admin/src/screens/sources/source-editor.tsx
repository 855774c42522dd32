import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldFaults } from '../../api/failure-text.ts';
import { useSession } from '../../api/session.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import type { Command } from '../../commands/command.ts';
import { useCommands } from '../../commands/registry.ts';
import { discardCommand } from '../../editing/discard.ts';
import { DraftStrip } from '../../editing/draft-strip.tsx';
import { type EditorStore, useField, useSaveState } from '../../editing/editor-store.ts';
import { FailedStrip } from '../../editing/failed-strip.tsx';
import { useOpenObject } from '../../editing/open-object.ts';
import { saveChanges } from '../../editing/save.ts';
import { SaveActions } from '../../editing/save-actions.tsx';
import { deleteCommand } from '../../kit/delete/delete-command.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { headerText, parseHeaders } from './header-text.ts';
import { type Source, sources } from './queries.ts';
import classes from './sources.module.css';
import { TestConsole } from './test-console.tsx';

type SourceStore = EditorStore<Source>;

/** A source with its test. */
export function SourceEditor({ source }: { readonly source: Source }) {
  const { t } = useTranslation();
  const { data: session } = useSession();
  const open = useOpenObject<Source>(session?.user?.id ?? 0, 'source', source.id, source);
  const { store } = open;
  if (store === undefined) return null;
  return (
    <div className={classes['editor']}>
      <SourceHead store={store} />
      <DraftStrip {...open} />
      <Failed store={store} />
      <div className={classes['body']}>
        <SourceFields store={store} />
        <h2>{t('sources.test')}</h2>
        <TestConsole store={store} />
      </div>
    </div>
  );
}

function saveCommand(store: SourceStore): Command {
  const { id } = store.base;
  return {
    id: 'source.save',
    label: 'sources.save',
    icon: 'check',
    keys: 'mod+S',
    can: () => store.isChanged && store.state.kind !== 'saving',
    run: async () =>
      void (await saveChanges(store, {
        send: ({ base_updated_at: _base, ...fields }) => sources.update(id, fields),
        load: async () => store.base,
      })),
  };
}

function SourceHead({ store }: { readonly store: SourceStore }) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const save = saveCommand(store);
  const discard = discardCommand(store);
  useCommands([save, discard]);
  const remove = deleteCommand(sources, base.id, {
    label: 'sources.delete',
    name: base.name,
    list: paths.sources(),
  });
  return (
    <PageHeader
      scope={
        <>
          <Link href={paths.sources()}>{t('nav.sources')}</Link> · {t('frame.allSites')}
        </>
      }
      title={base.name}
      actions={<SaveActions store={store} save={save} commands={[discard, remove]} />}
    />
  );
}

function Failed({ store }: { readonly store: SourceStore }) {
  const state = useSaveState(store);
  if (state.kind !== 'failed') return null;
  const save = saveCommand(store);
  return <FailedStrip error={state.error} save={save} saveAnyway={save} />;
}

function SourceFields({ store }: { readonly store: SourceStore }) {
  const { t } = useTranslation();
  const [method, setMethod] = useField(store, 'method');
  const [headers, setHeaders] = useField(store, 'headers');
  const [written, setWritten] = useState(() => headerText(headers));
  const [ttl, setTtl] = useField(store, 'cache_ttl');
  const [timeout, setTimeout_] = useField(store, 'timeout');
  const faults = useFaults(store);
  return (
    <div className={classes['form']}>
      <div className={classes['pair']}>
        <SourceText store={store} name="name" label={t('fields.name')} />
        <SourceText store={store} name="slug" label={t('collections.slug')} />
      </div>
      <div className={classes['address']}>
        <NativeSelect
          label={t('sources.method')}
          data={['GET', 'POST']}
          value={method}
          onChange={(event) => setMethod(event.currentTarget.value === 'POST' ? 'POST' : 'GET')}
        />
        <SourceText store={store} name="url" label={t('fields.url')} help={t('sources.urlHelp')} />
      </div>
      <Textarea
        label={t('sources.headers')}
        description={t('sources.headersHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={2}
        value={written}
        error={faults['headers']}
        onChange={(event) => {
          setWritten(event.currentTarget.value);
          setHeaders(parseHeaders(event.currentTarget.value));
        }}
      />
      {method === 'POST' && <SourceText store={store} name="body" label={t('sources.body')} isLong />}
      <div className={classes['pair']}>
        <SourceText
          store={store}
          name="list_path"
          label={t('sources.listPath')}
          help={t('sources.listPathHelp')}
        />
        <NumberInput
          label={t('sources.ttl')}
          description={t('sources.ttlHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0}
          value={ttl}
          error={faults['cache_ttl']}
          onChange={(value) => setTtl(Number(value))}
        />
        <NumberInput
          label={t('sources.timeout')}
          min={1}
          max={60}
          value={timeout}
          error={faults['timeout']}
          onChange={(value) => setTimeout_(Number(value))}
        />
      </div>
    </div>
  );
}

/** What the server has refused, by field. */
function useFaults(store: SourceStore): Readonly<Record<string, string>> {
  const state = useSaveState(store);
  return state.kind === 'failed' ? fieldFaults(state.error) : {};
}

interface SourceTextProps {
  readonly store: SourceStore;
  readonly name: 'name' | 'slug' | 'url' | 'body' | 'list_path';
  readonly label: string;
  readonly help?: string;
  readonly isLong?: boolean;
}

function SourceText({ store, name, label, help, isLong = false }: SourceTextProps) {
  const [value, setValue] = useField(store, name);
  const faults = useFaults(store);
  const Input = isLong ? Textarea : TextInput;
  return (
    <Input
      label={label}
      description={help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      error={faults[name]}
      onChange={(event) => setValue(event.currentTarget.value)}
    />
  );
}
