import { type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import * as forms from '../../../api/generated/forms.ts';
import type { WorkflowRun } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import type { Command } from '../../../commands/command.ts';
import { CommandButton } from '../../../commands/command-button.tsx';
import { useCommands } from '../../../commands/registry.ts';
import type { NodeTypes } from '../../../content/flow.ts';
import { useNodeTypes, type Workflow, workflows } from '../../../content/workflows.ts';
import { EditorFrame } from '../../../editing/frame/editor-frame.tsx';
import type { SaveRequests } from '../../../editing/save.ts';
import { type Editor, useEditor } from '../../../editing/use-editor.ts';
import { useForm } from '../../../editing/use-form.ts';
import { deleteCommand } from '../../../kit/delete/delete-command.tsx';
import { LongText } from '../../../kit/form/field-input.tsx';
import { SchemaForm } from '../../../kit/form/schema-form.tsx';
import { OpenFailure } from '../../../kit/list/open-failure.tsx';
import { TabPanes } from '../../../ui/layout/tab-panes.tsx';
import { mergeFlows } from '../model/merge.ts';
import runClasses from '../runs/runs.module.css';
import { RunsTab } from '../runs/runs-tab.tsx';
import { StoreTab } from '../runs/store-tab.tsx';
import { FlowEditing } from '../state/flow-editing.ts';
import { type EditedWorkflow, toEditedWorkflow, type WorkflowStore } from '../state/store.ts';
import { VersionsTab } from '../versions/versions-tab.tsx';
import { FlowWorkbench } from './flow-workbench.tsx';
import { useFlowRun } from './use-flow-run.ts';
import classes from './workflow-editor.module.css';

const tabs = ['graph', 'list', 'runs', 'store', 'versions', 'settings'] as const;

/** A workflow: its graph, what it did, what it keeps, and its earlier versions. */
export function WorkflowEditor({ id, tab }: { readonly id: number; readonly tab: string }) {
  const { data: workflow, error } = workflows.useOne(id);
  const { data: types } = useNodeTypes();
  const edited = useMemo(() => (workflow === undefined ? undefined : toEditedWorkflow(workflow)), [workflow]);
  const editor = useEditor<EditedWorkflow>({
    kind: 'workflow',
    id,
    value: edited,
    // Saving an active workflow changes at once what it does.
    save: {
      id: 'workflow.save',
      label: ({ enabled }) => (enabled ? 'workflows.saveActive' : 'workflows.save'),
    },
    requests: workflowRequests,
    release: {
      kind: 'workflow',
      path: `/workflows/${id}`,
      // Type boundary: the copy of a workflow is a workflow.
      toValue: (object) => toEditedWorkflow(object as Workflow),
    },
  });
  const list = { name: t('nav.workflows'), path: paths.workflows() };
  if (editor !== undefined && types !== undefined)
    return <OpenWorkflow editor={editor} types={types} tab={tab} list={list} />;
  if (error === null) return null;
  return <OpenFailure error={error} missing={t('workflows.missing')} list={list} />;
}

interface OpenWorkflowProps {
  readonly editor: Editor<EditedWorkflow>;
  readonly types: NodeTypes;
  readonly tab: string;
  readonly list: { readonly name: string; readonly path: string };
}

function OpenWorkflow({ editor, types, tab: wanted, list }: OpenWorkflowProps) {
  const { store } = editor;
  const editing = useMemo(() => new FlowEditing(store, types), [store, types]);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const [panel, setPanel] = useState<'node' | 'run'>('node');
  const flowRun = useFlowRun(editing);
  const showRun = () => {
    setPanel('run');
    if (tab !== 'graph' && tab !== 'list') goTo(paths.workflow(base.id));
  };
  const run: Command = {
    id: 'workflow.run',
    label: 'workflows.run',
    icon: 'play',
    keys: 'mod+Shift+Enter',
    run: () => {
      showRun();
      return flowRun.sending.send();
    },
  };
  useCommands([run]);
  const tab = tabs.find((name) => name === wanted) ?? 'graph';
  const { id, name, enabled } = base;
  const workbench = (view: 'graph' | 'list') => (
    <FlowWorkbench editing={editing} view={view} panel={panel} flowRun={flowRun} onPanel={setPanel} />
  );
  const showEarlier = (run: WorkflowRun) => {
    flowRun.show({ run });
    showRun();
  };
  const contents: Readonly<Record<(typeof tabs)[number], ReactNode>> = {
    graph: workbench('graph'),
    list: workbench('list'),
    runs: <RunsTab id={id} name={name} onShow={showEarlier} />,
    store: <StoreTab id={id} name={name} />,
    versions: <VersionsTab store={store} types={types} />,
    settings: <SettingsTab store={store} />,
  };
  return (
    <EditorFrame
      editor={editor}
      title={name}
      back={list}
      gone={t('workflows.missing')}
      broken={t('workflows.broken')}
      state={
        <span className={classes['state']} data-on={enabled || undefined}>
          {t(enabled ? 'workflows.on' : 'workflows.off')}
        </span>
      }
      actions={<CommandButton command={run} variant="default" withIcon />}
      deletion={deleteCommand(workflows, id, { label: 'workflows.delete', name, list: list.path })}
    >
      <TabPanes
        value={tab}
        tabs={tabs.map((each) => ({
          name: each,
          label: t(`workflows.tabs.${each}`),
          content: contents[each],
        }))}
        onChange={(name) => goTo(paths.workflow(id, name === 'graph' ? '' : name), { replace: true })}
      />
    </EditorFrame>
  );
}

function workflowRequests(store: WorkflowStore, isStrict: boolean): SaveRequests<EditedWorkflow> {
  const { id } = store.base;
  // Code that cannot run is refused where it would run; what is off may be saved half-written.
  const isRefused = isStrict && store.get('enabled');
  return {
    send: async (fields) => toEditedWorkflow(await workflows.update(id, fields, isRefused)),
    load: async () => {
      const theirs = toEditedWorkflow(await workflows.load(id));
      takeOverFlow(store, theirs);
      return theirs;
    },
  };
}

/** Changes of different nodes are no conflict: mine are put into their flow before the rest is asked. */
function takeOverFlow(store: WorkflowStore, theirs: EditedWorkflow): void {
  const merged = mergeFlows(store.base.flow, store.get('flow'), theirs.flow);
  if (merged === undefined || store.changes.flow === undefined) return;
  store.rebase({ ...store.base, flow: theirs.flow });
  store.set('flow', merged);
}

/** Name, description, and whether it starts from outside. */
function SettingsTab({ store }: { readonly store: WorkflowStore }) {
  return (
    <div className={runClasses['form']}>
      <SchemaForm
        schema={forms.WorkflowUpdate}
        texts="workflows"
        layout={['name', 'description', 'enabled']}
        inputs={{ description: LongText }}
        {...useForm(store)}
      />
    </div>
  );
}
