import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { timeText } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { runCommand } from '../../../commands/run.ts';
import { createPage } from '../../../content/page-requests.ts';
import { type Page, usePage } from '../../../content/pages.ts';
import { ConflictDialog } from '../../../editing/conflict-dialog.tsx';
import { DraftStrip } from '../../../editing/draft-strip.tsx';
import { useSaveState } from '../../../editing/editor-store.ts';
import { FailedStrip } from '../../../editing/failed-strip.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import type { OpenPage, PageStore } from '../store/page-store.ts';
import type { EditorCommands } from './editor-commands.ts';

export interface EditorStripsProps {
  readonly open: OpenPage;
  readonly store: PageStore;
  readonly commands: EditorCommands;
}

/** What stands between the page and a save: an earlier draft, an error, a conflict, a deleted page. */
export function EditorStrips({ open, store, commands }: EditorStripsProps) {
  const { t } = useTranslation();
  const state = useSaveState(store);
  const { data: known } = usePage(store.base.id);
  const isStale = known !== undefined && store.isChanged && known.updated_at > store.base.updated_at;
  return (
    <>
      <DraftStrip {...open} />
      {isStale && state.kind !== 'conflict' && (
        <Strip tone="slate">{t('page.changedMeanwhile', { time: timeText(known.updated_at) })}</Strip>
      )}
      {state.kind === 'failed' && (
        <FailedStrip error={state.error} save={commands.save} saveAnyway={commands.saveAnyway} />
      )}
      {state.kind === 'gone' && (
        <Strip
          tone="brick"
          actions={
            <Button size="compact-sm" onClick={() => void createAgain(store)}>
              {t('page.createAgain')}
            </Button>
          }
        >
          {t('page.gone')}
        </Strip>
      )}
      {state.kind === 'conflict' && (
        <ConflictDialog
          store={store}
          // Type boundary: the state of a conflict holds what `load` of this editor has answered.
          theirs={state.theirs as Page}
          onMerged={() => void runCommand(commands.save)}
        />
      )}
    </>
  );
}

/** A page that somebody else has deleted, made again from what is here. */
async function createAgain(store: PageStore): Promise<void> {
  const { parent_id, slug, title, html, head, description, meta_title, lang } = store.whole();
  if (parent_id === null) return;
  const page = await createPage({ parent_id, slug, title, html, head, description, meta_title, lang });
  store.discard();
  goTo(paths.page(page.root_id, page.id), { replace: true });
}
