import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Warning } from '../api/generated/schema.ts';
import { templateCompletion } from './autocomplete.ts';
import classes from './code-editor.module.css';
import type { TemplateFacts } from './completion.ts';
import { definitions } from './definition.ts';
import { findingsGutter, showFindings } from './findings.ts';
import { highlighting } from './highlight.ts';

export type CodeLanguage = 'html' | 'css' | 'js';

export interface CodeEditorProps {
  readonly label: string;
  readonly language: CodeLanguage;
  readonly value: string;
  readonly findings?: readonly Warning[];
  readonly isReadOnly?: boolean;
  /** What the template can use, for offers while typing. */
  readonly facts?: (() => Promise<TemplateFacts>) | undefined;
  onChange(value: string): void;
}

const languages = {
  html: () => html({ autoCloseTags: true }),
  css: () => css(),
  js: () => javascript(),
} as const;

/** A code editor. Tab indents; Esc, then Tab leaves. */
export function CodeEditor({
  label,
  language,
  value,
  findings = [],
  isReadOnly = false,
  facts,
  onChange,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  change.current = onChange;
  const ask = useRef(facts);
  ask.current = facts;
  const hasFacts = facts !== undefined;
  const initial = useRef(value);
  initial.current = value;

  useEffect(() => {
    if (host.current === null) return;
    const editable = new Compartment();
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          lineNumbers(),
          foldGutter(),
          findingsGutter,
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          search({ top: true }),
          keymap.of([
            ...closeBracketsKeymap,
            // Ctrl+Enter publishes.
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...lintKeymap,
            indentWithTab,
          ]),
          languages[language](),
          language === 'html' ? definitions : [],
          hasFacts ? templateCompletion(() => ask.current?.() ?? Promise.reject(new Error('no facts'))) : [],
          highlighting,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          editable.of(EditorState.readOnly.of(isReadOnly)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language, isReadOnly, hasFacts]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor !== null) editor.dispatch(showFindings(editor.state, findings));
  }, [findings]);

  return <div ref={host} className={classes['editor']} />;
}
