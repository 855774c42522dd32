import { useMemo } from 'react';
import { type RevisedObject, RevisionList, type RevisionListProps } from './revision-list.tsx';

export interface ObjectVersionsProps extends Pick<RevisionListProps, 'kind' | 'kept' | 'changed'> {
  readonly object: { readonly id: number };
}

/** Versions of an object that is no `EditorStore`. A restore leaves unsaved changes of forms as they are. */
export function ObjectVersions({ object, ...list }: ObjectVersionsProps) {
  const store = useMemo(
    (): RevisedObject => ({ base: object, subscribe: () => () => undefined, discard: () => undefined }),
    [object],
  );
  return <RevisionList store={store} {...list} />;
}
