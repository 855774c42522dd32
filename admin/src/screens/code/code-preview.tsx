import { useMemo, useSyncExternalStore } from 'react';
import type { PagePreview as UnsavedPage } from '../../api/generated/schema.ts';
import type { CodeKind } from '../../content/code-object.ts';
import { useField } from '../../editing/editor-store.ts';
import { UsingPages } from '../../editors/preview/using-pages.tsx';
import type { CodeStore } from './code-store.ts';

export interface CodePreviewProps {
  readonly kind: CodeKind;
  readonly store: CodeStore;
}

/** A page as it would look with the code in the editor. */
export function CodePreview({ kind, store }: CodePreviewProps) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const [name] = useField(store, 'name');
  const [content] = useField(store, 'content');
  const unsaved = useMemo(
    () => unsavedCode(kind, base.id, [base.name, name], content),
    [kind, base.id, base.name, name, content],
  );
  return <UsingPages kind={kind.name} id={base.id} unsaved={unsaved} updatedAt={base.updated_at} />;
}

/** @param names the stored one and that of the editor, which may be the same */
function unsavedCode(kind: CodeKind, id: number, names: readonly string[], content: string): UnsavedPage {
  if (kind.name === 'asset') return { overrides: { [id]: content } };
  return { snippets: Object.fromEntries(names.map((name) => [name, content])) };
}
