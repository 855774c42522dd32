import { html } from '@codemirror/lang-html';
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { highlighting } from '../code/highlight.ts';
import classes from './revision-list.module.css';

export interface TextDiffProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Two states of a text side by side; equal parts are folded. */
export function TextDiff({ label, before, after }: TextDiffProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const extensions = [
      html(),
      highlighting,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ];
    const view = new MergeView({
      a: { doc: before, extensions },
      b: { doc: after, extensions },
      parent: host.current,
      collapseUnchanged: { margin: 2, minSize: 4 },
    });
    return () => view.destroy();
  }, [label, before, after]);
  return <div ref={host} className={classes['diff']} />;
}
