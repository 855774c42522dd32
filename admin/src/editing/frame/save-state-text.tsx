import { t, timeText } from '../../base/i18n/index.ts';
import { type Editable, type EditorStore, useSaveState } from '../editor-store.ts';

/** Saving, Saved 14:02, or Failed, beside the status. */
export function SaveStateText({
  store,
}: {
  readonly store: Pick<EditorStore<Editable>, 'subscribe' | 'state'>;
}) {
  const state = useSaveState(store);
  const texts = {
    idle: '',
    saving: t('save.saving'),
    saved: state.kind === 'saved' ? t('save.saved', { time: timeText(state.at) }) : '',
    failed: t('save.failed'),
    conflict: t('save.conflict'),
    gone: t('save.gone'),
  };
  return (
    <span className="meta" role="status">
      {texts[state.kind]}
    </span>
  );
}
