import { foldGutter, foldKeymap } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  type EditorView,
  highlightActiveLineGutter,
  keymap,
  placeholder as showPlaceholder,
} from '@codemirror/view';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { Warning } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import type { CodeLanguage } from '../../content/code/code-object.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { templateCompletion } from './autocomplete.ts';
import classes from './code-editor.module.css';
import type { TemplateFacts } from './completion.ts';
import { definitions } from './definition.ts';
import { findingsGutter, mendAtCaret, showFindings } from './findings.ts';
import { formatted } from './format.ts';
import { hoverTexts } from './hover.ts';
import { languages } from './languages.ts';
import { useCodeView } from './use-code-view.ts';

const noFindings: readonly Warning[] = [];

export interface CodeEditorProps {
  readonly label: string;
  readonly language: CodeLanguage;
  readonly value: string;
  readonly findings?: readonly Warning[];
  readonly isReadOnly?: boolean;
  /** Stands in the empty editor. */
  readonly placeholder?: string | undefined;
  /** What the template can use, for offers while typing. */
  readonly facts?: (() => Promise<TemplateFacts>) | undefined;
  /** Whether what stood in its place had the focus, so that it takes it. */
  readonly hadFocus?: RefObject<boolean>;
  onChange(value: string): void;
}

/** A code editor. Tab indents; Esc, then Tab leaves. */
export function CodeEditor({
  label,
  language,
  value,
  findings = noFindings,
  isReadOnly = false,
  placeholder = '',
  facts,
  hadFocus,
  onChange,
}: CodeEditorProps) {
  const ask = useRef(facts);
  ask.current = facts;
  // Another text makes no other editor: it counts when the editor is next empty.
  const emptyText = useRef(placeholder);
  emptyText.current = placeholder;
  const hasFacts = facts !== undefined;
  const extensions = useMemo(
    () => [
      foldGutter(),
      findingsGutter,
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      keymap.of([
        ...searchKeymap,
        ...foldKeymap,
        ...lintKeymap,
        { key: 'Mod-.', run: mendAtCaret },
        { key: 'Shift-Alt-f', run: (view) => formatDocument(view, language) },
      ]),
      languages[language](),
      language === 'html' ? [definitions, hoverTexts(() => ask.current?.() ?? noFacts())] : [],
      hasFacts ? templateCompletion(() => ask.current?.() ?? noFacts()) : [],
      EditorState.readOnly.of(isReadOnly),
      showPlaceholder(() => createPlaceholder(emptyText.current)),
    ],
    [language, isReadOnly, hasFacts],
  );
  const { host, view } = useCodeView({ label, value, hadFocus, onChange }, extensions);

  useEffect(() => {
    if (view !== undefined) view.dispatch(showFindings(view.state, findings));
  }, [view, findings]);

  return <div ref={host} className={classes['editor']} />;
}

function createPlaceholder(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}

/** Refused, so that the caller goes without them. */
function noFacts(): Promise<TemplateFacts> {
  return Promise.reject(new Error('the editor has no facts'));
}

/** Indents the whole text; undo takes it back. */
function formatDocument(view: EditorView, language: CodeLanguage): boolean {
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
