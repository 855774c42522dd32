import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import * as forms from '../../api/generated/forms.ts';
import { t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { duplicateNamed } from '../../content/duplicate/duplicate.ts';
import { type GlobalBlock, globalBlocks } from '../../content/global-blocks.ts';
import { usageQuery } from '../../content/usage.ts';
import { EditorFrame } from '../../editing/frame/editor-frame.tsx';
import { saveCall } from '../../editing/save-call.ts';
import { type Editor, useEditor } from '../../editing/use-editor.ts';
import { useForm } from '../../editing/use-form.ts';
import { UsingPages } from '../../editors/preview/using-pages.tsx';
import { useAreVersionsAsked } from '../../editors/versions/asked.ts';
import { RevisionList } from '../../editors/versions/revision-list.tsx';
import { deleteUsedCommand } from '../../kit/delete/delete-command.tsx';
import { UserList } from '../../kit/delete/user-list.tsx';
import { duplicateCommand } from '../../kit/duplicate/duplicate-command.ts';
import { LongText } from '../../kit/form/field-input.tsx';
import { SchemaForm } from '../../kit/form/schema-form.tsx';
import { OpenFailure } from '../../kit/list/open-failure.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
import { KeepUndo } from '../../ui/messages/keep-undo.tsx';
import { GlobalBlocks } from './global-blocks.tsx';
import classes from './global-editor.module.css';
import type { GlobalStore } from './global-store.ts';

/** A global block in the editor. */
export function GlobalEditor({ id }: { readonly id: number }) {
  const { data: global, error } = globalBlocks.useOne(id);
  const editor = useEditor<GlobalBlock>({
    kind: 'global',
    id,
    value: global,
    save: { id: 'global.save', label: 'globals.save' },
    requests: () => ({
      send: (fields) => globalBlocks.update(id, fields),
      kind: 'global_block',
      load: () => globalBlocks.load(id),
    }),
    release: { kind: 'global_block', path: `/global-blocks/${id}` },
  });
  const list = { name: t('nav.globals'), path: paths.globalBlocks() };
  if (editor !== undefined) return <OpenGlobal editor={editor} list={list} />;
  if (error === null) return null;
  return <OpenFailure error={error} missing={t('errors.common.notFound')} list={list} />;
}

interface OpenGlobalProps {
  readonly editor: Editor<GlobalBlock>;
  readonly list: { readonly name: string; readonly path: string };
}

function OpenGlobal({ editor, list }: OpenGlobalProps) {
  const { store } = editor;
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const [tab, setTab] = useState<'blocks' | 'pages' | 'history'>(
    useAreVersionsAsked() ? 'history' : 'blocks',
  );
  return (
    <EditorFrame
      editor={editor}
      title={base.name}
      back={list}
      gone={t('code.gone')}
      call={() => saveCall(store, `/global-blocks/${base.id}`)}
      commands={[
        duplicateCommand({
          keep: editor.copying?.commands.keep,
          copy: () => duplicateNamed('global_block', base.id),
          path: paths.globalBlock,
        }),
      ]}
      deletion={deleteUsedCommand(globalBlocks, base.id, {
        kind: 'global_block',
        name: base.name,
        label: 'globals.delete',
        list: list.path,
        isForced: false,
      })}
    >
      <TabPanes
        value={tab}
        tabs={[
          {
            name: 'blocks',
            label: t('globals.blocks'),
            content: (
              <GlobalBlocks store={store}>
                <Names store={store} />
              </GlobalBlocks>
            ),
          },
          { name: 'pages', label: t('globals.onPages'), content: <GlobalOnPages store={store} /> },
          { name: 'history', label: t('history.title'), content: <History store={store} /> },
        ]}
        onChange={setTab}
      />
    </EditorFrame>
  );
}

function History({ store }: { readonly store: GlobalStore }) {
  return (
    <div className={classes['history']}>
      <RevisionList
        kind="globalblock"
        store={store}
        kept={t('globals.kept')}
        changed={() => globalBlocks.changed()}
      />
    </div>
  );
}

/** Name, folder and description, and what uses the block. */
function Names({ store }: { readonly store: GlobalStore }) {
  const { data: usage } = useQuery(usageQuery('global_block', store.base.id));
  return (
    <KeepUndo className={classes['names']}>
      <SchemaForm
        schema={forms.GlobalBlockUpdate}
        texts="globals"
        layout={['name', 'folder', 'description']}
        inputs={{ description: LongText }}
        {...useForm(store)}
      />
      <section>
        <h2>{t('code.usedBy', { count: usage?.usage.length ?? 0 })}</h2>
        <UserList entries={usage?.usage ?? []} />
      </section>
    </KeepUndo>
  );
}

/** The pages with a global block, with what is not saved of it and with the overrides of their own. */
function GlobalOnPages({ store }: { readonly store: GlobalStore }) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const blocks = useSyncExternalStore(store.subscribe, () => store.get('blocks'));
  const unsaved = useMemo(() => ({ global_blocks: { [base.id]: blocks } }), [base.id, blocks]);
  return <UsingPages kind="global_block" id={base.id} unsaved={unsaved} updatedAt={base.updated_at} />;
}
