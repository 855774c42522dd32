import { Tabs } from '@mantine/core';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../../api/failure.ts';
import { useSession } from '../../../api/session.ts';
import { goTo } from '../../../base/router/history.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import type { Command } from '../../../commands/command.ts';
import { useCommands } from '../../../commands/registry.ts';
import { runCommand } from '../../../commands/run.ts';
import { flowNodes } from '../../../content/workflows.ts';
import { ConflictDialog } from '../../../editing/conflict-dialog.tsx';
import { discardCommand } from '../../../editing/discard.ts';
import { DraftStrip } from '../../../editing/draft-strip.tsx';
import { useSaveState } from '../../../editing/editor-store.ts';
import { FailedStrip } from '../../../editing/failed-strip.tsx';
import { fieldsOf } from '../../../editing/fields.ts';
import { useOpenObject } from '../../../editing/open-object.ts';
import { saveChanges } from '../../../editing/save.ts';
import { SaveActions } from '../../../editing/save-actions.tsx';
import { RevisionList } from '../../../editors/versions/revision-list.tsx';
import { DeleteDialog } from '../../../kit/delete/delete-dialog.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { SplitPane } from '../../../ui/layout/split-pane.tsx';
import { TabBar } from '../../../ui/layout/tab-bar.tsx';
import { useIsTight } from '../../../ui/layout/use-is-tight.ts';
import { Strip } from '../../../ui/messages/strip.tsx';
import type { CodeMark } from '../panel/flow-code.tsx';
import { CodeTab } from './code-tab.tsx';
import { DefinitionTab } from './definition-tab.tsx';
import classes from './flow-nodes.module.css';
import type { FlowNode } from './queries.ts';
import type { FlowNodeStore } from './store.ts';
import { TestBench } from './test-bench.tsx';

const tabs = ['code', 'definition', 'versions'] as const;

/** Fields that versions compare. */
const compared = ['name', 'description', 'color', 'inputs', 'outputs', 'params', 'code'] as const;

export interface FlowNodeEditorProps {
  readonly node: FlowNode;
  readonly tab: string;
}

/** A custom node: its code, its ports and parameters, its versions, and beside them a test bench. */
export function FlowNodeEditor({ node, tab: wanted }: FlowNodeEditorProps) {
  const { t } = useTranslation();
  const { data: session } = useSession();
  const open = useOpenObject<FlowNode>(session?.user?.id ?? 0, 'flow_node', node.id, node);
  const isTight = useIsTight();
  /** Where the last trial has failed. */
  const [failed, setFailed] = useState<CodeMark>();
  const { store } = open;
  if (store === undefined) return null;
  const tab = tabs.find((name) => name === wanted) ?? 'code';
  const definition = (
    <Tabs
      value={tab}
      keepMounted={false}
      className={classes['tabs'] ?? ''}
      onChange={(value) =>
        goTo(paths.flowNode(node.id, value === 'code' ? '' : (value ?? '')), { replace: true })
      }
    >
      <TabBar value={tab}>
        {tabs.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {t(`flowNodes.tabs.${each}`)}
          </Tabs.Tab>
        ))}
      </TabBar>
      <Tabs.Panel value="code">
        <OpenCode store={store} failed={failed} />
      </Tabs.Panel>
      <Tabs.Panel value="definition">
        <DefinitionTab store={store} />
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <Versions store={store} />
      </Tabs.Panel>
    </Tabs>
  );
  const bench = <TestBench store={store} onFailed={setFailed} />;
  return (
    <div className={classes['editor']}>
      <Head store={store} />
      <DraftStrip {...open} />
      <SaveStrips store={store} />
      {isTight ? (
        <div className={classes['stack']}>
          {definition}
          {bench}
        </div>
      ) : (
        <div className={classes['work']}>
          <SplitPane
            id="flow-node-bench"
            label={t('flowNodes.benchWidth')}
            initial={340}
            min={260}
            max={640}
            restMin={280}
            isEndSized
            first={definition}
          >
            {bench}
          </SplitPane>
        </div>
      )}
    </div>
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
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  return (
    <div className={classes['form']}>
      <RevisionList
        kind="flownode"
        id={base.id}
        current={fieldsOf(base)}
        fields={compared}
        kept={t('flowNodes.kept')}
        onRestored={async () => {
          store.discard();
          await flowNodes.changed();
        }}
      />
    </div>
  );
}

function saveCommand(store: FlowNodeStore): Command {
  const { id } = store.base;
  return {
    id: 'flow-node.save',
    // All workflows that use it run the new code at once.
    label: 'flowNodes.save',
    icon: 'check',
    keys: 'mod+S',
    can: () => store.isChanged && store.state.kind !== 'saving',
    run: async () =>
      void (await saveChanges(store, {
        send: (fields) => flowNodes.update(id, fields),
        load: () => flowNodes.load(id),
      })),
  };
}

function SaveStrips({ store }: { readonly store: FlowNodeStore }) {
  const { t } = useTranslation();
  const state = useSaveState(store);
  const save = saveCommand(store);
  if (state.kind === 'failed') return <FailedStrip error={state.error} save={save} saveAnyway={save} />;
  if (state.kind === 'gone') return <Strip tone="brick">{t('flowNodes.missing')}</Strip>;
  if (state.kind !== 'conflict') return null;
  return (
    <ConflictDialog
      store={store}
      // Type boundary: the state of a conflict holds what `load` of this editor has answered.
      theirs={state.theirs as FlowNode}
      onMerged={() => void runCommand(save)}
    />
  );
}

function Head({ store }: { readonly store: FlowNodeStore }) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const [isDeleting, setDeleting] = useState(false);
  const save = saveCommand(store);
  const discard = discardCommand(store);
  useCommands([save, discard]);
  const remove: Command = {
    id: 'flow-node.delete',
    label: 'flowNodes.delete',
    icon: 'trash',
    tone: 'danger',
    run: () => setDeleting(true),
  };
  return (
    <>
      <PageHeader
        scope={
          <>
            <Link href={paths.flowNodes()}>{t('flowNodes.title')}</Link> · <code>{base.key}</code>
          </>
        }
        title={base.name}
        actions={<SaveActions store={store} save={save} commands={[discard, remove]} />}
      />
      {isDeleting && (
        <DeleteDialog
          kind="flow_node"
          id={base.id}
          name={base.name}
          submit={t('flowNodes.delete')}
          isForced={false}
          remove={async () => {
            await flowNodes.remove(base.id);
            goTo(paths.flowNodes());
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
