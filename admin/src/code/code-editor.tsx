import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { foldGutter, foldKeymap } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { highlightActiveLineGutter, keymap } from '@codemirror/view';
import { useEffect, useMemo, useRef } from 'react';
import type { Warning } from '../api/generated/schema.ts';
import { templateCompletion } from './autocomplete.ts';
import classes from './code-editor.module.css';
import type { TemplateFacts } from './completion.ts';
import { definitions } from './definition.ts';
import { findingsGutter, showFindings } from './findings.ts';
import { useCodeView } from './use-code-view.ts';

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

const noFindings: readonly Warning[] = [];

/** A code editor. Tab indents; Esc, then Tab leaves. */
export function CodeEditor({
  label,
  language,
  value,
  findings = noFindings,
  isReadOnly = false,
  facts,
  onChange,
}: CodeEditorProps) {
  const ask = useRef(facts);
  ask.current = facts;
  const hasFacts = facts !== undefined;
  const extensions = useMemo(
    () => [
      foldGutter(),
      findingsGutter,
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      keymap.of([...searchKeymap, ...foldKeymap, ...lintKeymap]),
      languages[language](),
      language === 'html' ? definitions : [],
      hasFacts ? templateCompletion(() => ask.current?.() ?? Promise.reject(new Error('no facts'))) : [],
      EditorState.readOnly.of(isReadOnly),
    ],
    [language, isReadOnly, hasFacts],
  );
  const { host, view } = useCodeView({ label, value, onChange }, extensions);

  useEffect(() => {
    if (view !== undefined) view.dispatch(showFindings(view.state, findings));
  }, [view, findings]);

  return <div ref={host} className={classes['editor']} />;
}
