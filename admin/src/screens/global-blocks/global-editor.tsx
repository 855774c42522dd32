import { Tabs, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldFaults } from '../../api/failure-text.ts';
import { useSession } from '../../api/session.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { runCommand } from '../../commands/run.ts';
import { type GlobalBlock, globalBlocks } from '../../content/global-blocks.ts';
import { usageQuery } from '../../content/usage.ts';
import { ConflictDialog } from '../../editing/conflict-dialog.tsx';
import { DescriptionField, NameField } from '../../editing/description-fields.tsx';
import { DraftStrip } from '../../editing/draft-strip.tsx';
import { useField, useSaveState } from '../../editing/editor-store.ts';
import { FailedStrip } from '../../editing/failed-strip.tsx';
import { fieldsOf } from '../../editing/fields.ts';
import { type OpenObject, useOpenObject } from '../../editing/open-object.ts';
import { SaveActions } from '../../editing/save-actions.tsx';
import { saveCall } from '../../editing/save-call.ts';
import { useAreVersionsAsked } from '../../editors/versions/asked.ts';
import { RevisionList } from '../../editors/versions/revision-list.tsx';
import { DeleteDialog } from '../../kit/delete/delete-dialog.tsx';
import { UserList } from '../../kit/delete/user-list.tsx';
import { OpenFailure } from '../../kit/list/open-failure.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { TabBar } from '../../ui/layout/tab-bar.tsx';
import { KeepUndo } from '../../ui/messages/keep-undo.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { GlobalBlocks } from './global-blocks.tsx';
import classes from './global-editor.module.css';
import { GlobalOnPages } from './global-on-pages.tsx';
import { type GlobalStore, globalCommands } from './global-store.ts';

/** A global block in the editor. */
export function GlobalEditor({ id }: { readonly id: number }) {
  const { t } = useTranslation();
  const { data: global, error } = globalBlocks.useOne(id);
  const { data: session } = useSession();
  const open = useOpenObject<GlobalBlock>(session?.user?.id ?? 0, 'global', id, global);
  if (open.store !== undefined) return <OpenGlobal open={open} store={open.store} />;
  if (error === null) return null;
  const list = { name: t('nav.globals'), path: paths.globalBlocks() };
  return <OpenFailure error={error} missing={t('errors.common.notFound')} list={list} />;
}

interface OpenGlobalProps {
  readonly open: OpenObject<GlobalBlock>;
  readonly store: GlobalStore;
}

function OpenGlobal({ open, store }: OpenGlobalProps) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const [tab, setTab] = useState<string | null>(useAreVersionsAsked() ? 'history' : 'blocks');
  const [isDeleting, setDeleting] = useState(false);
  const commands = globalCommands(store);
  useCommands([commands.save, commands.discard]);
  return (
    <div className={classes['editor']}>
      <PageHeader
        scope={
          <>
            <Link href={paths.globalBlocks()}>{t('nav.globals')}</Link> · {t('frame.allSites')}
          </>
        }
        title={base.name}
        actions={
          <SaveActions
            store={store}
            save={commands.save}
            call={() => saveCall(store, `/global-blocks/${base.id}`)}
            commands={[
              commands.discard,
              {
                id: 'global.delete',
                label: 'globals.delete',
                icon: 'trash',
                tone: 'danger',
                run: () => setDeleting(true),
              },
            ]}
          />
        }
      />
      <Strips open={open} store={store} />
      <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes['tabs'] ?? ''}>
        <TabBar value={tab}>
          <Tabs.Tab value="blocks">{t('globals.blocks')}</Tabs.Tab>
          <Tabs.Tab value="pages">{t('globals.onPages')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('history.title')}</Tabs.Tab>
        </TabBar>
        <Tabs.Panel value="blocks" className={classes['panel'] ?? ''}>
          <GlobalBlocks store={store}>
            <Names store={store} />
          </GlobalBlocks>
        </Tabs.Panel>
        <Tabs.Panel value="pages" className={classes['panel'] ?? ''}>
          <GlobalOnPages store={store} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className={classes['history'] ?? ''}>
          <RevisionList
            kind="globalblock"
            id={base.id}
            current={fieldsOf(base)}
            fields={['blocks', 'description']}
            kept={t('globals.kept')}
            onRestored={async () => {
              store.discard();
              await globalBlocks.changed();
            }}
          />
        </Tabs.Panel>
      </Tabs>
      {isDeleting && (
        <DeleteDialog
          kind="global_block"
          id={base.id}
          name={base.name}
          submit={t('globals.delete')}
          isForced={false}
          remove={async () => {
            await globalBlocks.remove(base.id);
            goTo(paths.globalBlocks());
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

/** What stands between the block and a save. */
function Strips({ open, store }: OpenGlobalProps) {
  const { t } = useTranslation();
  const state = useSaveState(store);
  const { save } = globalCommands(store);
  return (
    <>
      <DraftStrip {...open} />
      {state.kind === 'failed' && <FailedStrip error={state.error} save={save} saveAnyway={save} />}
      {state.kind === 'gone' && <Strip tone="brick">{t('code.gone')}</Strip>}
      {state.kind === 'conflict' && (
        <ConflictDialog
          store={store}
          // Type boundary: the state of a conflict holds what `load` of this editor has answered.
          theirs={state.theirs as GlobalBlock}
          onMerged={() => void runCommand(save)}
        />
      )}
    </>
  );
}

/** Name, folder and description, and what uses the block. */
function Names({ store }: { readonly store: GlobalStore }) {
  const { t } = useTranslation();
  const [folder, setFolder] = useField(store, 'folder');
  const state = useSaveState(store);
  const faults = state.kind === 'failed' ? fieldFaults(state.error) : {};
  const { data: usage } = useQuery(usageQuery('global_block', store.base.id));
  return (
    <KeepUndo className={classes['names']}>
      <NameField store={store} faults={faults} />
      <TextInput
        label={t('fields.folder')}
        value={folder}
        error={faults['folder']}
        onChange={(event) => setFolder(event.currentTarget.value)}
      />
      <DescriptionField store={store} faults={faults} />
      <section>
        <h2>{t('code.usedBy', { count: usage?.usage.length ?? 0 })}</h2>
        <UserList entries={usage?.usage ?? []} />
      </section>
    </KeepUndo>
  );
}
