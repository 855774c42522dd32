import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldFaults } from '../../api/failure-text.ts';
import { useSession } from '../../api/session.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import type { Command } from '../../commands/command.ts';
import { CommandIconButton } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { runCommand } from '../../commands/run.ts';
import type { CodeKind, CodeObject } from '../../content/code-object.ts';
import { useCurrentSite } from '../../content/current-site.ts';
import { usageQuery } from '../../content/usage.ts';
import { ConflictDialog } from '../../editing/conflict-dialog.tsx';
import { DraftStrip } from '../../editing/draft-strip.tsx';
import { useField, useSaveState } from '../../editing/editor-store.ts';
import { FailedStrip } from '../../editing/failed-strip.tsx';
import { useFindings } from '../../editing/findings.ts';
import { type OpenObject, useOpenObject } from '../../editing/open-object.ts';
import { SaveActions } from '../../editing/save-actions.tsx';
import { saveCall } from '../../editing/save-call.ts';
import { LazyCodeEditor } from '../../editors/code/lazy-code-editor.tsx';
import { templateFacts } from '../../editors/code/template-facts.ts';
import { usePreviewToggle } from '../../editors/preview/preview-toggle.ts';
import { WithPreview } from '../../editors/preview/with-preview.tsx';
import { DeleteDialog } from '../../kit/delete/delete-dialog.tsx';
import { OpenFailure } from '../../kit/list/open-failure.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { type CodeStore, codeCommands } from './code-commands.ts';
import { CodePanels } from './code-panels.tsx';
import { CodePreview } from './code-preview.tsx';
import classes from './code-screen.module.css';
import { formatCommand } from './format-command.ts';
import { RenameSnippet } from './rename-snippet.tsx';

export interface CodeObjectEditorProps {
  readonly kind: CodeKind;
  readonly id: number;
}

/** A snippet or a file in the editor. */
export function CodeObjectEditor({ kind, id }: CodeObjectEditorProps) {
  const { t } = useTranslation();
  const { data: object, error } = kind.resource.useOne(id);
  const { data: session } = useSession();
  const open = useOpenObject<CodeObject>(session?.user?.id ?? 0, kind.name, id, object);
  if (open.store !== undefined) return <OpenEditor kind={kind} open={open} store={open.store} />;
  if (error === null) return null;
  const list = { name: t(`code.${kind.name}.title`), path: kind.path(undefined) };
  return <OpenFailure error={error} missing={t('errors.common.notFound')} list={list} />;
}

interface OpenEditorProps {
  readonly kind: CodeKind;
  readonly open: OpenObject<CodeObject>;
  readonly store: CodeStore;
}

function OpenEditor({ kind, open, store }: OpenEditorProps) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const state = useSaveState(store);
  const findings = useFindings(store);
  const [content, setContent] = useField(store, 'content');
  const site = useCurrentSite();
  const [isDeleting, setDeleting] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const commands = codeCommands(kind, store);
  const format = formatCommand(kind.languageOf(base), store);
  const renames: readonly Command[] =
    kind.name === 'snippet'
      ? [
          {
            id: 'code.rename',
            label: 'code.rename',
            icon: 'text-aa',
            keys: 'F2',
            run: () => setRenaming(true),
          },
        ]
      : [];
  const preview = usePreviewToggle('ic-code-preview', false);
  useCommands([commands.save, commands.discard, preview.command, ...renames]);
  return (
    <div className={classes['editor']}>
      <PageHeader
        scope={
          <>
            <Link href={kind.path(undefined)}>{t(`code.${kind.name}.title`)}</Link> · {t('frame.allSites')}
          </>
        }
        title={base.name}
        actions={
          <SaveActions
            store={store}
            save={commands.save}
            call={() => saveCall(store, `/${kind.name}s/${base.id}?strict=true`)}
            commands={[
              commands.discard,
              format,
              ...renames,
              {
                id: 'code.delete',
                label: `code.${kind.name}.delete`,
                icon: 'trash',
                tone: 'danger',
                run: () => setDeleting(true),
              },
            ]}
          >
            <CommandIconButton command={preview.command} />
          </SaveActions>
        }
      />
      <DraftStrip {...open} />
      {state.kind === 'failed' && (
        <FailedStrip error={state.error} save={commands.save} saveAnyway={commands.saveAnyway} />
      )}
      {state.kind === 'gone' && <Strip tone="brick">{t('code.gone')}</Strip>}
      {state.kind === 'conflict' && (
        <ConflictDialog
          store={store}
          // Type boundary: the state of a conflict holds what `load` of this editor has answered.
          theirs={state.theirs as CodeObject}
          onMerged={() => void runCommand(commands.save)}
        />
      )}
      <WithPreview
        label={t('fields.content')}
        isShown={preview.isShown}
        preview={<CodePreview kind={kind} store={store} />}
      >
        <div className={classes['body']}>
          <Names kind={kind} store={store} />
          <div className={classes['code']}>
            <LazyCodeEditor
              label={t('fields.content')}
              language={kind.languageOf(base)}
              value={content}
              findings={findings}
              facts={kind.name === 'snippet' && site !== undefined ? () => templateFacts(site) : undefined}
              onChange={setContent}
            />
          </div>
          <span className="meta">{t('code.leave')}</span>
        </div>
        <CodePanels kind={kind} store={store} findings={findings} />
      </WithPreview>
      {isRenaming && <RenameSnippet store={store} onClose={() => setRenaming(false)} />}
      {isDeleting && (
        <DeleteDialog
          kind={kind.name}
          id={base.id}
          name={base.name}
          submit={t(`code.${kind.name}.delete`)}
          remove={async (isOnlyUnused) => {
            await kind.resource.remove(base.id, isOnlyUnused);
            goTo(kind.path(undefined));
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}

function Names({ kind, store }: { readonly kind: CodeKind; readonly store: CodeStore }) {
  const { t } = useTranslation();
  const [name, setName] = useField(store, 'name');
  const [description, setDescription] = useField(store, 'description');
  const state = useSaveState(store);
  const faults = state.kind === 'failed' ? fieldFaults(state.error) : {};
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const { data: usage } = useQuery(usageQuery(kind.name, base.id));
  const count = usage?.usage.length ?? 0;
  // Templates name snippets; files are named by their numbers.
  const isNamed = kind.name === 'snippet' && name !== base.name && count > 0;
  return (
    <div className={classes['pair']}>
      <TextInput
        label={t('fields.name')}
        description={isNamed ? t('code.renameUsers', { count, name: base.name }) : undefined}
        value={name}
        error={faults['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {kind.isDescribed && (
        <TextInput
          label={t('fields.description')}
          value={description ?? ''}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
