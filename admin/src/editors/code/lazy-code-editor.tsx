import { lazy, type RefObject, Suspense, useLayoutEffect, useRef } from 'react';
import classes from './code-editor.module.css';
import type { CodeEditorProps } from './code-editor.tsx';

const Loaded = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

/** The code editor, whose code comes when the first one is shown. Until then a plain field takes focus and keys. */
export function LazyCodeEditor(props: CodeEditorProps) {
  const hadFocus = useRef(false);
  return (
    <Suspense fallback={<PlainEditor {...props} hadFocus={hadFocus} />}>
      <Loaded {...props} hadFocus={hadFocus} />
    </Suspense>
  );
}

interface PlainEditorProps
  extends Pick<CodeEditorProps, 'label' | 'value' | 'isReadOnly' | 'placeholder' | 'onChange'> {
  /** Becomes true if the field has the focus when it goes away. */
  readonly hadFocus: RefObject<boolean>;
}

function PlainEditor({ label, value, isReadOnly, placeholder, onChange, hadFocus }: PlainEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const own = field.current;
    return () => {
      hadFocus.current = own !== null && own === document.activeElement;
    };
  }, [hadFocus]);
  return (
    <textarea
      ref={field}
      className={classes['plain']}
      aria-label={label}
      readOnly={isReadOnly}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
