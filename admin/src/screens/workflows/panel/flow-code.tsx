import { autocompletion } from '@codemirror/autocomplete';
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { useEffect, useMemo } from 'react';
import { useCodeView } from '../../../editors/code/use-code-view.ts';
import { flowCompletion } from './code-completion.ts';
import classes from './node-panel.module.css';

/** Something that is wrong at a place in the code. */
export interface CodeMark {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export interface FlowCodeProps {
  readonly label: string;
  readonly value: string;
  readonly marks: readonly CodeMark[];
  /** Names of the parameters that the code has as `params`. */
  readonly params?: readonly string[];
  onChange(value: string): void;
}

const noParams: readonly string[] = [];

/** The code of a function or custom node, with offers of what it can use. Tab indents; Esc, then Tab leaves. */
export function FlowCode({ label, value, marks, params = noParams, onChange }: FlowCodeProps) {
  const names = params.join(' ');
  const extensions = useMemo(
    () => [
      lintGutter(),
      autocompletion({ icons: false }),
      javascript(),
      javascriptLanguage.data.of({
        autocomplete: flowCompletion(names.split(' ').filter((name) => name !== '')),
      }),
    ],
    [names],
  );
  const { host, view } = useCodeView({ label, value, onChange }, extensions);

  useEffect(() => {
    if (view === undefined) return;
    const { doc } = view.state;
    const diagnostics = marks.flatMap(({ line, column, text }) => {
      if (line < 1 || line > doc.lines) return [];
      const { from, to } = doc.line(line);
      const at = Math.min(to, from + Math.max(0, column - 1));
      return [{ from: at, to, severity: 'error' as const, message: text }];
    });
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }, [view, marks]);

  return <div ref={host} className={classes['codeHost']} />;
}
