import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { useCommands } from '../../../commands/registry.ts';
import { flowNodes } from '../../../content/workflows.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { FormText } from '../../../kit/form/form-text.tsx';
import { useSending } from '../../../kit/form/sending.ts';
import { ListAndDetail } from '../../../kit/list/list-and-detail.tsx';
import { ListEntry, ListTag } from '../../../kit/list/list-entry.tsx';
import { ListPane } from '../../../kit/list/list-pane.tsx';
import { NothingOpen } from '../../../kit/list/nothing-open.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { VirtualRows } from '../../../ui/rows/virtual-rows.tsx';

// The editor brings the one for code, which the list does not need.
const FlowNodeEditor = lazy(async () => ({
  default: (await import('./flow-node-editor.tsx')).FlowNodeEditor,
}));

/** Nodes of workflows that are written here: their list, and the open one. */
export function FlowNodesScreen() {
  const { t } = useTranslation();
  const { id, tab = '' }: { readonly id?: string; readonly tab?: string } = useParams({ strict: false });
  const current = id === undefined ? undefined : Number(id);
  const { data: nodes } = flowNodes.useList();
  const [query, setQuery] = useState('');
  const [isNew, setNew] = useState(false);
  useCommands([{ id: 'flow-node.new', label: 'flowNodes.new', icon: 'plus', run: () => setNew(true) }]);
  const shown = (nodes ?? []).filter(({ name, key }) =>
    `${name} ${key}`.toLowerCase().includes(query.toLowerCase()),
  );
  const open = nodes?.find((node) => node.id === current);
  const isMissing = current !== undefined && nodes !== undefined && open === undefined;
  return (
    <>
      <ListAndDetail
        id="flow-nodes"
        label={t('code.width')}
        isOpen={current !== undefined}
        list={
          <ListPane
            title={t('flowNodes.title')}
            count={nodes?.length}
            add={{ label: t('flowNodes.new'), run: () => setNew(true) }}
            filter={t('code.filter')}
            query={query}
            onQuery={setQuery}
          >
            {nodes !== undefined && shown.length === 0 && (
              <EmptyState>{t(nodes.length === 0 ? 'flowNodes.none' : 'tree.noHit')}</EmptyState>
            )}
            {shown.length > 0 && (
              <VirtualRows
                label={t('flowNodes.title')}
                rows={shown}
                rowHeight={32}
                isPlain
                keyOf={(node) => node.id}
                render={(node) => (
                  <ListEntry href={paths.flowNode(node.id)} isCurrent={node.id === current} name={node.name}>
                    {node.inputs === 0 && <ListTag>{t('flowNodes.start')}</ListTag>}
                  </ListEntry>
                )}
              />
            )}
          </ListPane>
        }
      >
        {open === undefined ? (
          <NothingOpen list={{ name: t('flowNodes.title'), path: paths.flowNodes() }} isFailed={isMissing}>
            {t(isMissing ? 'flowNodes.missing' : 'flowNodes.choose')}
          </NothingOpen>
        ) : (
          <Suspense>
            <FlowNodeEditor key={open.id} node={open} tab={tab} />
          </Suspense>
        )}
      </ListAndDetail>
      {isNew && <NewFlowNode onClose={() => setNew(false)} />}
    </>
  );
}

/** What the code of a new node does: it sends on what comes in. */
const firstCode = '// msg.payload holds the data; params has the parameters.\nreturn msg;\n';

function NewFlowNode({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const sending = useSending(async () => {
    const { id } = await flowNodes.create({ name, key, code: firstCode });
    onClose();
    goTo(paths.flowNode(id));
  });
  return (
    <FormDialog
      title={t('flowNodes.new')}
      submit={t('flowNodes.create')}
      sending={sending}
      isIncomplete={name.trim() === ''}
      onClose={onClose}
    >
      <FormText
        isFirst
        label={t('fields.name')}
        value={name}
        error={sending.faults['name']}
        onChange={setName}
      />
      <FormText
        isOptional
        label={t('flowNodes.key')}
        help={t('flowNodes.keyHelp')}
        value={key}
        error={sending.faults['key']}
        onChange={setKey}
      />
    </FormDialog>
  );
}
