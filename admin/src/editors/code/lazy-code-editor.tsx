import { lazy, Suspense } from 'react';
import classes from './code-editor.module.css';
import type { CodeEditorProps } from './code-editor.tsx';

const Loaded = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

/** The code editor, whose code comes when the first one is shown. Its place is there before. */
export function LazyCodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<div className={classes['editor']} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
