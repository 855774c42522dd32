/** What all code editors share: the view, its keys and looks, and the text that it has together with the screen. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { type RefCallback, type RefObject, useEffect, useRef, useState } from 'react';
import { highlighting } from './highlight.ts';

export interface CodeText {
  readonly label: string;
  readonly value: string;
  /** Whether what stood in its place had the focus, so that it takes it. */
  readonly hadFocus?: RefObject<boolean> | undefined;
  onChange(value: string): void;
}

/**
 * An editor in the element of `host`. Tab indents; Esc, then Tab leaves.
 *
 * @param extensions what this editor has besides; the editor is made anew when they are others
 */
export function useCodeView(
  { label, value, hadFocus, onChange }: CodeText,
  extensions: Extension,
): { readonly host: RefCallback<HTMLElement>; readonly view: EditorView | undefined } {
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [view, setView] = useState<EditorView>();
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };

  useEffect(() => {
    if (host === null) return;
    const editor = new EditorView({
      parent: host,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [base(label, (text) => latest.current.onChange(text)), extensions],
      }),
    });
    if (hadFocus?.current === true) {
      hadFocus.current = false;
      editor.focus();
      editor.dispatch({ selection: { anchor: editor.state.doc.length } });
    }
    setView(editor);
    return () => editor.destroy();
  }, [host, label, extensions, hadFocus]);

  useEffect(() => {
    if (view === undefined || view.state.doc.toString() === value) return;
    view.dispatch({ changes: findChange(view.state.doc.toString(), value) });
  }, [view, value]);

  return { host: setHost, view };
}

function base(label: string, change: (text: string) => void): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    keymap.of([
      ...closeBracketsKeymap,
      // Ctrl+Enter publishes.
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ...historyKeymap,
      indentWithTab,
    ]),
    highlighting,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) change(update.state.doc.toString());
    }),
  ];
}

/** The part of a text that differs, so that the cursor stays where it is in the rest. */
function findChange(before: string, after: string) {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let [to, end] = [before.length, after.length];
  while (to > from && end > from && before[to - 1] === after[end - 1]) [to, end] = [to - 1, end - 1];
  return { from, to, insert: after.slice(from, end) };
}
