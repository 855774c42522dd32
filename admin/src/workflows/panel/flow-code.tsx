import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { highlighting } from '../../code/highlight.ts';
import type { NodeFault } from '../model/faults.ts';
import { completeFlowCode } from './code-completion.ts';
import classes from './node-panel.module.css';

export interface FlowCodeProps {
  readonly label: string;
  readonly value: string;
  readonly faults: readonly NodeFault[];
  onChange(value: string): void;
}

/** The code of a function node, with offers of what it can use. Tab indents; Esc, then Tab leaves. */
export function FlowCode({ label, value, faults, onChange }: FlowCodeProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  change.current = onChange;
  const initial = useRef(value);
  initial.current = value;

  useEffect(() => {
    if (host.current === null) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          autocompletion({ icons: false }),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
            ...historyKeymap,
            ...completionKeymap,
            indentWithTab,
          ]),
          javascript(),
          javascriptLanguage.data.of({ autocomplete: completeFlowCode }),
          highlighting,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { doc } = editor.state;
    const marks = faults.flatMap(({ text }) => {
      const [, line, column] = /line (\d+), column (\d+)/.exec(text) ?? [];
      if (line === undefined || Number(line) > doc.lines) return [];
      const { from, to } = doc.line(Number(line));
      const at = Math.min(to, from + Math.max(0, Number(column) - 1));
      return [{ from: at, to, severity: 'error' as const, message: text }];
    });
    editor.dispatch(setDiagnostics(editor.state, marks));
  }, [faults]);

  return <div ref={host} className={classes['codeHost']} />;
}
