import { type ReactNode, useSyncExternalStore } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { PageTab } from '../../../base/router/paths.ts';
import { useSaveState } from '../../../editing/editor-store.ts';
import { useEditStatus } from '../../../editing/frame/edit-status.ts';
import { PublishButton } from '../../../editing/frame/publish-button.tsx';
import { SaveStateText } from '../../../editing/frame/save-state-text.tsx';
import device from '../../../editors/preview/device.module.css';
import { StatusMark } from '../../../ui/messages/status-mark.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import { type PageEditing, type PageStore, usePageEditor } from '../store/page-store.ts';
import { PageStrips } from './page-strips.tsx';
import classes from './side-pane.module.css';
import { TabContent } from './tabs/tab-content.tsx';

export interface TranslationPaneProps {
  /** The page that it is a version of. */
  readonly source: PageStore;
  readonly id: number;
  readonly tab: PageTab;
  /** What chooses between this and the preview. */
  readonly choice: ReactNode;
}

/** The same fields of another language version, with a save of its own. */
export function TranslationPane({ source, id, tab, choice }: TranslationPaneProps) {
  const { editor } = usePageEditor(id);
  if (editor === undefined) return null;
  return <OpenTranslation source={source} editor={editor} tab={tab} choice={choice} />;
}

interface OpenTranslationProps extends Omit<TranslationPaneProps, 'id'> {
  readonly editor: PageEditing;
}

function OpenTranslation({ source, editor, tab, choice }: OpenTranslationProps) {
  const { store } = editor;
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const status = useEditStatus(editor, base.published ? 'live' : 'draft');
  useSaveState(store);
  // The keys belong to the page at the left.
  const { keys: _keys, ...save } = editor.save;
  return (
    <div className="fill surface" lang={base.effective_lang}>
      <div className={device['bar']}>
        {choice}
        <StatusMark status={status} />
        <SaveStateText store={store} />
        <span className="rest" />
        <PublishButton editor={{ ...editor, save }} size="compact-sm" />
      </div>
      {source.base.updated_at > base.updated_at && (
        <Strip tone="slate">{t('translation.sourceChanged')}</Strip>
      )}
      <PageStrips editor={editor} />
      <div className={classes['otherBody']}>
        <TabContent store={store} tab={tab === 'history' ? 'content' : tab} />
      </div>
    </div>
  );
}
