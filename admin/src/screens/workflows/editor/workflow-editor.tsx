import { Tabs } from '@mantine/core';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/session.ts';
import { goTo } from '../../../base/router/history.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { CommandButton } from '../../../commands/command-button.tsx';
import { useCommands } from '../../../commands/registry.ts';
import { runCommand } from '../../../commands/run.ts';
import type { NodeTypes } from '../../../content/flow.ts';
import { useNodeTypes, workflows } from '../../../content/workflows.ts';
import { ConflictDialog } from '../../../editing/conflict-dialog.tsx';
import { DraftStrip } from '../../../editing/draft-strip.tsx';
import { useIsChanged, useSaveState } from '../../../editing/editor-store.ts';
import { FailedStrip } from '../../../editing/failed-strip.tsx';
import { type OpenObject, useOpenObject } from '../../../editing/open-object.ts';
import { SaveActions } from '../../../editing/save-actions.tsx';
import { OpenFailure } from '../../../kit/list/open-failure.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { TabBar } from '../../../ui/layout/tab-bar.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import { RunsTab } from '../runs/runs-tab.tsx';
import { StoreTab } from '../runs/store-tab.tsx';
import { FlowEditing } from '../state/flow-editing.ts';
import { type EditedWorkflow, editedOf, type WorkflowStore } from '../state/store.ts';
import { VersionsTab } from '../versions/versions-tab.tsx';
import { editorCommands } from './editor-commands.ts';
import { FlowWorkbench } from './flow-workbench.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { useFlowRun } from './use-flow-run.ts';
import classes from './workflow-editor.module.css';

export interface WorkflowEditorProps {
  readonly id: number;
  readonly tab: string;
}

const tabs = ['graph', 'list', 'runs', 'store', 'versions', 'settings'] as const;

/** A workflow: its graph, what it did, what it keeps, and its earlier versions. */
export function WorkflowEditor({ id, tab }: WorkflowEditorProps) {
  const { t } = useTranslation();
  const { data: workflow, error } = workflows.useOne(id);
  const { data: session } = useSession();
  const { data: types } = useNodeTypes();
  const edited = useMemo(() => (workflow === undefined ? undefined : editedOf(workflow)), [workflow]);
  const open = useOpenObject<EditedWorkflow>(session?.user?.id ?? 0, 'workflow', id, edited);
  if (open.store !== undefined && types !== undefined)
    return <OpenWorkflow open={open} store={open.store} types={types} tab={tab} />;
  if (error === null) return null;
  const list = { name: t('nav.workflows'), path: paths.workflows() };
  return <OpenFailure error={error} missing={t('workflows.missing')} list={list} />;
}

interface OpenWorkflowProps {
  readonly open: OpenObject<EditedWorkflow>;
  readonly store: WorkflowStore;
  readonly types: NodeTypes;
  readonly tab: string;
}

function OpenWorkflow({ open, store, types, tab: wanted }: OpenWorkflowProps) {
  const { t } = useTranslation();
  const editing = useMemo(() => new FlowEditing(store, types), [store, types]);
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const state = useSaveState(store);
  const [panel, setPanel] = useState<'node' | 'run'>('node');
  const flowRun = useFlowRun(editing);
  const showRun = () => {
    setPanel('run');
    if (tab !== 'graph' && tab !== 'list') goTo(paths.workflow(base.id));
  };
  const commands = editorCommands(store, {
    run: () => {
      showRun();
      return flowRun.sending.send();
    },
  });
  useCommands([commands.save, commands.run, commands.discard]);
  const tab = tabs.find((name) => name === wanted) ?? 'graph';
  const { id, name } = base;
  return (
    <div className={classes['editor']}>
      <EditorHead store={store} commands={commands} />
      <DraftStrip {...open} />
      {state.kind === 'failed' && (
        <FailedStrip error={state.error} save={commands.save} saveAnyway={commands.save} />
      )}
      {state.kind === 'gone' && <Strip tone="brick">{t('workflows.missing')}</Strip>}
      {state.kind === 'conflict' && (
        <ConflictDialog
          store={store}
          // Type boundary: the state of a conflict holds what `load` of this editor has answered.
          theirs={state.theirs as EditedWorkflow}
          onMerged={() => void runCommand(commands.save)}
        />
      )}
      <Tabs
        value={tab}
        keepMounted={false}
        className={classes['tabs'] ?? ''}
        onChange={(value) =>
          goTo(paths.workflow(id, value === 'graph' ? '' : (value ?? '')), { replace: true })
        }
      >
        <TabBar value={tab}>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`workflows.tabs.${each}`)}
            </Tabs.Tab>
          ))}
        </TabBar>
        <Tabs.Panel value={tab} className={classes['panel'] ?? ''}>
          {(tab === 'graph' || tab === 'list') && (
            <FlowWorkbench editing={editing} view={tab} panel={panel} flowRun={flowRun} onPanel={setPanel} />
          )}
          {tab === 'runs' && (
            <RunsTab
              id={id}
              name={name}
              onShow={(run) => {
                flowRun.show({ run });
                showRun();
              }}
            />
          )}
          {tab === 'store' && <StoreTab id={id} name={name} />}
          {tab === 'settings' && <SettingsTab store={store} />}
          {tab === 'versions' && <VersionsTab store={store} types={types} />}
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

interface EditorHeadProps {
  readonly store: WorkflowStore;
  readonly commands: ReturnType<typeof editorCommands>;
}

function EditorHead({ store, commands }: EditorHeadProps) {
  const { t } = useTranslation();
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const _isChanged = useIsChanged(store);
  return (
    <PageHeader
      scope={
        <>
          <Link href={paths.workflows()}>{t('nav.workflows')}</Link> · {t('frame.allSites')}
        </>
      }
      title={base.name}
      actions={
        <>
          <span className={classes['state']} data-on={base.enabled || undefined}>
            {t(base.enabled ? 'workflows.on' : 'workflows.off')}
          </span>
          <SaveActions store={store} save={commands.save} commands={[commands.discard, commands.remove]}>
            <CommandButton command={commands.run} variant="default" withIcon />
          </SaveActions>
        </>
      }
    />
  );
}
