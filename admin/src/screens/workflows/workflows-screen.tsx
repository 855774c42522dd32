import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { WorkflowList } from './list/workflow-list.tsx';

// The graph brings a library of its own, which the list does not need.
const WorkflowEditor = lazy(async () => ({
  default: (await import('./editor/workflow-editor.tsx')).WorkflowEditor,
}));
const SecretsScreen = lazy(async () => ({
  default: (await import('./secrets/secrets-screen.tsx')).SecretsScreen,
}));

/** Graphs of nodes that do what nobody wants to do by hand: their list, or one of them. */
export function WorkflowsScreen() {
  const { id, tab = 'graph' }: { readonly id?: string; readonly tab?: string } = useParams({ strict: false });
  if (id === undefined) return <WorkflowList />;
  return (
    <Suspense>
      {id === 'secrets' ? <SecretsScreen /> : <WorkflowEditor key={id} id={Number(id)} tab={tab} />}
    </Suspense>
  );
}
