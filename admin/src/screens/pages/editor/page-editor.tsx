import { useParams } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { useRights } from '../../../api/session/rights.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { type PageTab, pageTabs, paths } from '../../../base/router/paths.ts';
import { type Page, usePageTree } from '../../../content/pages.ts';
import { useIsChanged, useSaveState } from '../../../editing/editor-store.ts';
import { useEditorCommands } from '../../../editing/frame/use-editor-commands.ts';
import { usePreviewToggle } from '../../../editors/preview/preview-toggle.ts';
import { viewPage } from '../../../editors/preview/view-page.ts';
import { WithPreview } from '../../../editors/preview/with-preview.tsx';
import { OpenFailure } from '../../../kit/list/open-failure.tsx';
import { TabPanes } from '../../../ui/layout/tab-panes.tsx';
import { type PageEditing, usePageEditor } from '../store/page-store.ts';
import { ofPageCode } from '../store/rights.ts';
import { hasWords } from '../store/words.ts';
import { EditorHead } from './editor-head.tsx';
import classes from './page-editor.module.css';
import { PageStrips } from './page-strips.tsx';
import { publishCommands } from './publish-commands.ts';
import { SidePane } from './side-pane.tsx';
import { TabContent } from './tabs/tab-content.tsx';

/** A page in the editor: fields in tabs, beside them the page as it will look. */
export function PageEditor() {
  const params: { readonly root?: string; readonly page?: string; readonly tab?: string } = useParams({
    strict: false,
  });
  const id = Number(params.page);
  const { editor, error } = usePageEditor(id);
  if (editor !== undefined) return <OpenEditor key={id} editor={editor} name={params.tab} />;
  if (error === null || error === undefined) return null;
  const list = { name: t('nav.pages'), path: paths.pages(Number(params.root)) };
  return <OpenFailure error={error} missing={t('page.missing')} list={list} />;
}

/** Tabs of code alone. */
const codeTabs: ReadonlySet<PageTab> = new Set<PageTab>(['template', 'head']);

/** A page whose blocks or words are edited has its template in a tab of its own, for those who may write code. */
function useTabs(page: Page): readonly PageTab[] {
  const mayCode = useRights()(ofPageCode);
  return pageTabs.filter(
    (name) =>
      (mayCode || !codeTabs.has(name)) && (name !== 'template' || page.renders_blocks || hasWords(page)),
  );
}

interface OpenEditorProps {
  readonly editor: PageEditing;
  /** Of the tab in the address. */
  readonly name: string | undefined;
}

function OpenEditor({ editor, name }: OpenEditorProps) {
  const { store } = editor;
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const tabs = useTabs(base);
  const tab = tabs.find((known) => known === name) ?? 'content';
  // Commands can or cannot be done depending on these.
  useIsChanged(store);
  useSaveState(store);
  // The editor of blocks is a page already, and a comparison of versions needs the whole width.
  const isBlocks = tab === 'content' && base.renders_blocks;
  const hasSide = tab !== 'history' && !isBlocks;
  const side = usePreviewToggle('ic-preview', true);
  const { publish, unpublish } = publishCommands(editor);
  useEditorCommands(editor, [
    ...(editor.copying === undefined ? [publish] : []),
    unpublish,
    viewPage(base),
    side.command,
  ]);
  const { data: pages } = usePageTree();
  const entry = pages?.find((page) => page.id === base.id);
  const fields = (
    <div className="fill">
      <TabPanes
        value={tab}
        paneClassName={classes[isBlocks ? 'whole' : 'panel']}
        tabs={tabs.map((name) => ({
          name,
          label: t(`page.tabs.${name}`),
          content: <TabContent store={store} tab={name} />,
        }))}
        onChange={(name) => goTo(paths.page(base.root_id, base.id, name), { replace: true })}
      />
    </div>
  );
  return (
    <div className={classes['editor']}>
      <EditorHead editor={editor} entry={entry} isAlone={isBlocks} />
      <PageStrips editor={editor} />
      <WithPreview
        label={t('page.fields')}
        isShown={side.isShown && hasSide}
        isShownNarrow={tab === 'content'}
        preview={<SidePane store={store} tab={tab} />}
      >
        {fields}
      </WithPreview>
    </div>
  );
}
