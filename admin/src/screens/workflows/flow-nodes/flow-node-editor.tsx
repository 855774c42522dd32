import { useMemo, useState, useSyncExternalStore } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { flowNodes } from '../../../content/workflows.ts';
import { useField, useSaveState } from '../../../editing/editor-store.ts';
import { EditorFrame } from '../../../editing/frame/editor-frame.tsx';
import { type Editor, useEditor } from '../../../editing/use-editor.ts';
import { RevisionList } from '../../../editors/versions/revision-list.tsx';
import { deleteUsedCommand } from '../../../kit/delete/delete-command.tsx';
import { SplitPane } from '../../../ui/layout/split-pane.tsx';
import { TabPanes } from '../../../ui/layout/tab-panes.tsx';
import { type CodeMark, FlowCode } from '../panel/flow-code.tsx';
import { DefinitionTab } from './definition-tab.tsx';
import classes from './flow-nodes.module.css';
import type { FlowNode } from './queries.ts';
import type { FlowNodeStore } from './store.ts';
import { TestBench } from './test-bench.tsx';

const tabs = ['code', 'definition', 'versions'] as const;

export interface FlowNodeEditorProps {
  readonly node: FlowNode;
  readonly tab: string;
}

/** A custom node: its code, its ports and parameters, its versions, and beside them a test bench. */
export function FlowNodeEditor({ node, tab }: FlowNodeEditorProps) {
  const { id } = node;
  const editor = useEditor<FlowNode>({
    kind: 'flow_node',
    id,
    value: node,
    // All workflows that use it run the new code at once.
    save: { id: 'flow-node.save', label: 'flowNodes.save' },
    requests: () => ({
      send: (fields) => flowNodes.update(id, fields),
      load: () => flowNodes.load(id),
    }),
  });
  return editor === undefined ? null : <OpenFlowNode editor={editor} tab={tab} />;
}

interface OpenFlowNodeProps extends Pick<FlowNodeEditorProps, 'tab'> {
  readonly editor: Editor<FlowNode>;
}

function OpenFlowNode({ editor, tab: wanted }: OpenFlowNodeProps) {
  const { store } = editor;
  const { id, key, name } = useSyncExternalStore(store.subscribe, () => store.base);
  /** Where the last trial has failed. */
  const [failed, setFailed] = useState<CodeMark>();
  const tab = tabs.find((name) => name === wanted) ?? 'code';
  const definition = (
    <TabPanes
      value={tab}
      tabs={[
        {
          name: 'code',
          label: t('flowNodes.tabs.code'),
          content: <OpenCode store={store} failed={failed} />,
        },
        {
          name: 'definition',
          label: t('flowNodes.tabs.definition'),
          content: <DefinitionTab store={store} />,
        },
        { name: 'versions', label: t('flowNodes.tabs.versions'), content: <Versions store={store} /> },
      ]}
      onChange={(name) => goTo(paths.flowNode(id, name === 'code' ? '' : name), { replace: true })}
    />
  );
  const bench = <TestBench store={store} onFailed={setFailed} />;
  return (
    <EditorFrame
      editor={editor}
      title={name}
      back={{ name: t('flowNodes.title'), path: paths.flowNodes() }}
      scope={<code>{key}</code>}
      gone={t('flowNodes.missing')}
      deletion={deleteUsedCommand(flowNodes, id, {
        kind: 'flow_node',
        name,
        label: 'flowNodes.delete',
        list: paths.flowNodes(),
        isForced: false,
      })}
    >
      <div className={classes['work']}>
        <SplitPane
          id="flow-node-bench"
          label={t('flowNodes.benchWidth')}
          widths={[260, 340, 640]}
          restMin={280}
          first={definition}
          narrow={
            <div className={classes['stack']}>
              {definition}
              {bench}
            </div>
          }
        >
          {bench}
        </SplitPane>
      </div>
    </EditorFrame>
  );
}

/** The code, with what the last save and the last trial have found. */
function OpenCode({
  store,
  failed,
}: {
  readonly store: FlowNodeStore;
  readonly failed: CodeMark | undefined;
}) {
  const state = useSaveState(store);
  const marks = useMemo(
    () => [
      ...(state.kind === 'failed' ? marksOf(state.error) : []),
      ...(failed === undefined ? [] : [failed]),
    ],
    [state, failed],
  );
  return <CodeTab store={store} marks={marks} />;
}

function marksOf(error: unknown): CodeMark[] {
  if (!(error instanceof ApiFailure) || error.code !== 'flownode.codeInvalid') return [];
  const { message, line, column } = error.params;
  return [{ line: Number(line), column: Number(column), text: String(message) }];
}

function Versions({ store }: { readonly store: FlowNodeStore }) {
  return (
    <div className={classes['form']}>
      <RevisionList
        kind="flownode"
        store={store}
        kept={t('flowNodes.kept')}
        changed={() => flowNodes.changed()}
      />
    </div>
  );
}

/** The code of a custom node. Its parameters are offered while it is typed. */
function CodeTab({ store, marks }: { readonly store: FlowNodeStore; readonly marks: readonly CodeMark[] }) {
  const [code, setCode] = useField(store, 'code');
  const params = useSyncExternalStore(store.subscribe, () => store.get('params'));
  return (
    <div className={classes['code']}>
      <FlowCode
        label={t('fields.content')}
        value={code}
        marks={marks}
        params={params.map(({ name }) => name)}
        onChange={setCode}
      />
      <p className="meta">{t('workflows.codeHelp')}</p>
    </div>
  );
}
