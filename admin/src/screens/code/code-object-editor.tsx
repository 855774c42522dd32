import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import * as forms from '../../api/generated/forms.ts';
import type { PagePreview as UnsavedPage } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { CommandIconButton } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import type { CodeKind, CodeLanguage, CodeObject } from '../../content/code/code-object.ts';
import { loadLastSite, useCurrentSite } from '../../content/current-site.ts';
import { duplicateNamed } from '../../content/duplicate/duplicate.ts';
import { usageQuery } from '../../content/usage.ts';
import { useField } from '../../editing/editor-store.ts';
import { useFindings } from '../../editing/findings.ts';
import { EditorFrame } from '../../editing/frame/editor-frame.tsx';
import { saveCall } from '../../editing/save-call.ts';
import { type Editor, useEditor } from '../../editing/use-editor.ts';
import { useForm } from '../../editing/use-form.ts';
import type { TemplateFacts } from '../../editors/code/completion.ts';
import { LazyCodeEditor } from '../../editors/code/lazy-code-editor.tsx';
import { templateFacts } from '../../editors/code/template-facts.ts';
import { usePreviewToggle } from '../../editors/preview/preview-toggle.ts';
import { UsingPages } from '../../editors/preview/using-pages.tsx';
import { WithPreview } from '../../editors/preview/with-preview.tsx';
import { deleteUsedCommand } from '../../kit/delete/delete-command.tsx';
import { duplicateCommand } from '../../kit/duplicate/duplicate-command.ts';
import { SchemaForm } from '../../kit/form/schema-form.tsx';
import { OpenFailure } from '../../kit/list/open-failure.tsx';
import { showToast } from '../../ui/messages/toasts.ts';
import { CodePanels } from './code-panels.tsx';
import { codeRequests, openRename } from './code-requests.tsx';
import classes from './code-screen.module.css';
import type { CodeStore } from './code-store.ts';

/** A snippet or a file in the editor. */
export function CodeObjectEditor({ kind, id }: { readonly kind: CodeKind; readonly id: number }) {
  const { data: object, error } = kind.resource.useOne(id);
  const editor = useEditor<CodeObject>({
    kind: kind.name,
    id,
    value: object,
    // What pages use changes for visitors at once.
    save: { id: 'code.save', label: 'code.save' },
    requests: (store, isStrict) => codeRequests(kind, store, isStrict),
    release: {
      kind: kind.name,
      // Templates follow a new name only if it is live at once.
      liveFields: ['name'],
      path: `/${kind.name}s/${id}`,
    },
  });
  const list = { name: t(`code.${kind.name}.title`), path: kind.path(undefined) };
  if (editor !== undefined) return <OpenEditor kind={kind} editor={editor} list={list} />;
  if (error === null) return null;
  return <OpenFailure error={error} missing={t('errors.common.notFound')} list={list} />;
}

interface OpenEditorProps {
  readonly kind: CodeKind;
  readonly editor: Editor<CodeObject>;
  readonly list: { readonly name: string; readonly path: string };
}

function OpenEditor({ kind, editor, list }: OpenEditorProps) {
  const { store } = editor;
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const findings = useFindings(store);
  const [content, setContent] = useField(store, 'content');
  const site = useCurrentSite();
  const renames: readonly Command[] =
    kind.name === 'snippet'
      ? [
          {
            id: 'code.rename',
            label: 'code.rename',
            icon: 'text-aa',
            keys: 'F2',
            run: () => openRename(store),
          },
        ]
      : [];
  const copies: readonly Command[] =
    kind.name === 'snippet'
      ? [
          duplicateCommand({
            keep: editor.copying?.commands.keep,
            copy: () => duplicateNamed('snippet', base.id),
            path: kind.path,
          }),
        ]
      : [];
  const preview = usePreviewToggle('ic-code-preview', false);
  useCommands([preview.command, ...renames]);
  return (
    <EditorFrame
      editor={editor}
      title={base.name}
      back={list}
      gone={t('code.gone')}
      call={() => saveCall(store, `/${kind.name}s/${base.id}?strict=true`)}
      commands={[formatCommand(kind.languageOf(base), store), ...renames, ...copies]}
      actions={<CommandIconButton command={preview.command} />}
      deletion={deleteUsedCommand(kind.resource, base.id, {
        kind: kind.name,
        name: base.name,
        label: `code.${kind.name}.delete`,
        list: kind.path(undefined),
      })}
    >
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
              facts={kind.name === 'snippet' ? () => loadFacts(site) : undefined}
              onChange={setContent}
            />
          </div>
          <span className="meta">{t('code.leave')}</span>
        </div>
        <CodePanels kind={kind} store={store} findings={findings} />
      </WithPreview>
    </EditorFrame>
  );
}

/** What can be offered while a snippet is typed, also before it is known which websites there are. */
async function loadFacts(knownSite: number | undefined): Promise<TemplateFacts> {
  const site = knownSite ?? (await loadLastSite());
  if (site === undefined) throw new Error('there is no website whose names could be offered');
  return templateFacts(site);
}

function Names({ kind, store }: { readonly kind: CodeKind; readonly store: CodeStore }) {
  const [name] = useField(store, 'name');
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const { data: usage } = useQuery(usageQuery(kind.name, base.id));
  const count = usage?.usage.length ?? 0;
  // Templates name snippets; files are named by their numbers.
  const isNamed = kind.name === 'snippet' && name !== base.name && count > 0;
  return (
    <SchemaForm
      schema={forms.SnippetUpdate}
      texts="fields"
      layout={[kind.isDescribed ? ['name', 'description'] : ['name']]}
      help={{ name: isNamed ? t('code.renameUsers', { count }) : undefined }}
      {...useForm(store)}
    />
  );
}

/** Indents the code in the editor; undo takes it back. */
function formatCommand(language: CodeLanguage, store: CodeStore): Command {
  return {
    id: 'code.format',
    label: 'code.format',
    icon: 'list',
    localKeys: 'Shift+Alt+F',
    run: async () => {
      const { formatted } = await import('../../editors/code/format.ts');
      const before = store.get('content');
      const after = formatted(before, language);
      if (after === undefined) {
        showToast({ tone: 'failed', message: t('code.tooLongToFormat') });
        return undefined;
      }
      if (after === before) return { message: t('code.isFormatted') };
      store.set('content', after);
      return { message: t('code.formatted'), undo: async () => store.set('content', before) };
    },
  };
}

/** A page as it would look with the code in the editor. */
function CodePreview({ kind, store }: { readonly kind: CodeKind; readonly store: CodeStore }) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const [name] = useField(store, 'name');
  const [content] = useField(store, 'content');
  const unsaved = useMemo(
    () => unsavedCode(kind, base.id, [base.name, name], content),
    [kind, base.id, base.name, name, content],
  );
  return <UsingPages kind={kind.name} id={base.id} unsaved={unsaved} updatedAt={base.updated_at} />;
}

/** @param names the stored one and that of the editor, which may be the same */
function unsavedCode(kind: CodeKind, id: number, names: readonly string[], content: string): UnsavedPage {
  if (kind.name === 'asset') return { overrides: { [id]: content } };
  return { snippets: Object.fromEntries(names.map((name) => [name, content])) };
}
