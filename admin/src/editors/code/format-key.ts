import type { EditorView } from '@codemirror/view';
import { t } from '../../base/i18n/index.ts';
import type { CodeLanguage } from '../../content/code-object.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { formatted } from './format.ts';

/** Indents the whole text; undo takes it back. */
export function formatDocument(view: EditorView, language: CodeLanguage): boolean {
  if (view.state.readOnly) return false;
  const before = view.state.doc.toString();
  const after = formatted(before, language);
  if (after === undefined) showToast({ tone: 'failed', message: t('code.tooLongToFormat') });
  if (after === undefined || after === before) return true;
  const { head } = view.state.selection.main;
  const { number } = view.state.doc.lineAt(head);
  view.dispatch({ changes: { from: 0, to: before.length, insert: after } });
  view.dispatch({ selection: { anchor: view.state.doc.line(number).to }, scrollIntoView: true });
  return true;
}
