import { Button } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import { findText, t, timeText } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { runCommand } from '../../commands/run.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { type Editable, type EditorStore, useIsChanged, useSaveState } from '../editor-store.ts';
import { toFieldRecord } from '../merge/fields.ts';
import { mergeFields } from '../merge/merge.ts';
import type { Editor } from '../use-editor.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { CopyStrip } from './copy-strip.tsx';
import { DraftStrip } from './draft-strip.tsx';
import { ReleaseStrip } from './release-strip.tsx';

export interface EditorStripsProps<Value extends Editable> {
  readonly editor: Editor<Value>;
  /** Said when somebody else has deleted the object. */
  readonly gone: string;
  /** What can be done then. */
  readonly goneActions?: ReactNode;
  /** The object as the server is known to have it, which may be newer than what was changed here. */
  readonly known?: Editable | undefined;
  /** What would be seen of code that cannot run. Default: what visitors of pages would see. */
  readonly broken?: string | undefined;
  /** Name of a field that is not among the texts. */
  nameOf?(field: string): string | undefined;
}

/** What stands between an object and a save: an earlier draft, an error, a conflict, a deletion, a change meanwhile. */
export function EditorStrips<Value extends Editable>({
  editor,
  gone,
  goneActions,
  known,
  broken,
  ...names
}: EditorStripsProps<Value>) {
  const { store, retry, saveAnyway, copying } = editor;
  const state = useSaveState(store);
  const isChanged = useIsChanged(store);
  // What waits is merged with each save.
  const isStale =
    copying === undefined && known !== undefined && isChanged && known.updated_at > store.base.updated_at;
  return (
    <>
      {editor.prepared !== undefined && <ReleaseStrip object={editor.prepared} />}
      {copying !== undefined && <CopyStrip copying={copying} {...names} />}
      <DraftStrip earlier={editor.earlier} decide={editor.decide} {...names} />
      {isStale && state.kind !== 'conflict' && <StaleStrip store={store} known={known} {...names} />}
      {state.kind === 'failed' && (
        <FailedStrip error={state.error} save={retry} saveAnyway={saveAnyway} broken={broken} />
      )}
      {state.kind === 'gone' && (
        <Strip tone="brick" actions={goneActions}>
          {gone}
        </Strip>
      )}
      {state.kind === 'conflict' && (
        <ConflictDialog
          store={store}
          // Type boundary: the state of a conflict holds what `load` of this editor has answered.
          theirs={state.theirs as Value}
          onMerged={() => void runCommand(retry)}
          {...names}
        />
      )}
    </>
  );
}

interface StaleStripProps<Value extends Editable> extends Pick<EditorStripsProps<Value>, 'nameOf'> {
  readonly store: EditorStore<Value>;
  readonly known: Editable;
}

/** Somebody else has saved: whether the next save merges by itself, or will ask. */
function StaleStrip<Value extends Editable>({ store, known, nameOf }: StaleStripProps<Value>) {
  const changes = useSyncExternalStore(store.subscribe, () => store.changes);
  const { conflicts } = mergeFields(toFieldRecord(store.base), toFieldRecord(changes), toFieldRecord(known));
  const time = timeText(known.updated_at);
  const fields = conflicts.map(({ field }) => nameOf?.(field) ?? findText(`fields.${field}`) ?? field);
  return (
    <Strip tone={fields.length === 0 ? 'slate' : 'ochre'}>
      {fields.length === 0
        ? t('page.changedMeanwhile', { time })
        : t('page.changedSame', { time, fields: [...new Set(fields)].join(', ') })}
    </Strip>
  );
}

interface FailedStripProps {
  readonly error: unknown;
  readonly save: Command;
  /** Saves in spite of findings with which visitors would see an error page. */
  readonly saveAnyway: Command;
  readonly broken: string | undefined;
}

/** Why a save has failed, and what can be done about it. The input is still there. */
function FailedStrip({ error, save, saveAnyway, broken }: FailedStripProps) {
  const isRefused = error instanceof ApiFailure && error.code === 'template.invalid';
  return (
    <Strip
      tone="brick"
      actions={
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void runCommand(isRefused ? saveAnyway : save)}
        >
          {t(isRefused ? saveAnyway.label : 'actions.tryAgain')}
        </Button>
      }
    >
      {isRefused ? (broken ?? failureText(error)) : failureText(error)}
    </Strip>
  );
}
