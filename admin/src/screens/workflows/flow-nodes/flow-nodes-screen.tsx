import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { paths } from '../../../base/router/paths.ts';
import { flowNodes } from '../../../content/workflows.ts';
import { ListScreen } from '../../../kit/list/list-screen.tsx';

// The editor brings the one for code, which the list does not need.
const FlowNodeEditor = lazy(async () => ({
  default: (await import('./flow-node-editor.tsx')).FlowNodeEditor,
}));

/** What the code of a new node does: it sends on what comes in. */
const firstCode = '// msg.payload holds the data; params has the parameters.\nreturn msg;\n';

/** Nodes of workflows that are written here: their list, and the open one. */
export function FlowNodesScreen() {
  const { tab = '' }: { readonly tab?: string } = useParams({ strict: false });
  return (
    <ListScreen
      resource={flowNodes}
      title="flowNodes.title"
      texts="flowNodes"
      drafts="flow_node"
      list={paths.flowNodes()}
      path={({ id }) => paths.flowNode(id)}
      words={({ name, key }) => `${name} ${key}`}
      row={({ name, inputs }) => ({ name, tags: inputs === 0 ? [{ text: t('flowNodes.start') }] : [] })}
      create={{
        initial: { name: '', key: '', code: firstCode },
        fields: [
          'name',
          { name: 'key', label: 'flowNodes.key', help: 'flowNodes.keyHelp', isOptional: true },
        ],
        create: (body) => flowNodes.create(body),
        isReady: ({ name }) => name.trim() !== '',
      }}
    >
      {(node) => (
        <Suspense>
          <FlowNodeEditor node={node} tab={tab} />
        </Suspense>
      )}
    </ListScreen>
  );
}
