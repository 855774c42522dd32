import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import { goTo } from '../../app/history.ts';
import { paths } from '../../app/paths.ts';
import { runCommand } from '../../commands/run.ts';
import { ConflictDialog } from '../../editing/conflict-dialog.tsx';
import { useSaveState } from '../../editing/editor-store.ts';
import { textIfKnown, timeText } from '../../i18n/index.ts';
import { Strip } from '../../ui/strip.tsx';
import { createPage } from '../page-requests.ts';
import type { Page } from '../queries.ts';
import type { EditorCommands } from './editor-commands.ts';
import { changedFields, type OpenPage, type PageStore } from './page-store.ts';

export interface EditorStripsProps {
  readonly open: OpenPage;
  readonly store: PageStore;
  readonly commands: EditorCommands;
}

/** What stands between the page and a save: an earlier draft, an error, a conflict, a deleted page. */
export function EditorStrips({ open, store, commands }: EditorStripsProps) {
  const { t } = useTranslation();
  const state = useSaveState(store);
  const { earlier, decide } = open;
  return (
    <>
      {earlier !== undefined && (
        <Strip
          actions={
            <>
              <Button size="compact-sm" onClick={() => decide(true)}>
                {t('draft.restore')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => decide(false)}>
                {t('draft.discard')}
              </Button>
            </>
          }
        >
          {t('draft.earlier', { time: timeText(earlier.savedAt), fields: namesOf(changedFields(earlier)) })}
        </Strip>
      )}
      {state.kind === 'failed' && <SaveFailed error={state.error} commands={commands} />}
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

function SaveFailed({ error, commands }: { readonly error: unknown; readonly commands: EditorCommands }) {
  const { t } = useTranslation();
  const isTemplate = error instanceof ApiFailure && error.code === 'template.invalid';
  return (
    <Strip
      tone="brick"
      actions={
        isTemplate ? (
          <Button size="compact-sm" variant="default" onClick={() => void runCommand(commands.saveAnyway)}>
            {t('page.saveAnyway')}
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => void runCommand(commands.save)}>
            {t('actions.tryAgain')}
          </Button>
        )
      }
    >
      {failureText(error)}
    </Strip>
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

function namesOf(fields: readonly string[]): string {
  return fields.map((field) => textIfKnown(`fields.${field}`) ?? field).join(', ');
}
