import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { t, timeText } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import type { Command } from '../../../commands/command.ts';
import { CommandMenu } from '../../../commands/command-button.tsx';
import { useDeleted } from '../../../commands/delayed.ts';
import { useCommands } from '../../../commands/registry.ts';
import { runCommand } from '../../../commands/run.ts';
import { computePorts } from '../../../content/flow.ts';
import { createWorkflow, useNodeTypes, type Workflow, workflows } from '../../../content/workflows.ts';
import { deleteCommand, deletionKey } from '../../../kit/delete/delete-command.tsx';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { SearchInput } from '../../../ui/rows/search-input.tsx';
import tableClasses from '../../../ui/rows/table.module.css';
import { chooseIcon, formatSummary, nodeName } from '../state/looks.ts';
import classes from './workflow-list.module.css';

type Naming = { readonly kind: 'new' } | { readonly kind: 'rename' | 'copy'; readonly of: Workflow };

/** What workflows use. */
const places = [
  { id: 'workflow.flowNodes', label: 'flowNodes.title', icon: 'puzzle-piece', path: paths.flowNodes() },
  { id: 'workflow.databases', label: 'databases.title', icon: 'database', path: paths.databases() },
  { id: 'workflow.secrets', label: 'workflows.secrets.title', icon: 'key', path: paths.workflowSecrets() },
] as const;

/** All workflows: whether they are on, what starts them, how they ran last, and when they run next. */
export function WorkflowList() {
  const { data: allWorkflows } = workflows.useList();
  const deleted = useDeleted();
  const [query, setQuery] = useState('');
  useCommands([
    { id: 'workflow.new', label: 'workflows.new', icon: 'plus', run: () => askName({ kind: 'new' }) },
    ...places.map(({ path, ...place }) => ({ ...place, run: () => goTo(path) })),
  ]);
  const shown = (allWorkflows ?? []).filter(
    ({ id, name, description }) =>
      !deleted.has(deletionKey(workflows, id)) &&
      `${name} ${description}`.toLowerCase().includes(query.toLowerCase()),
  );
  return (
    <div className="screen">
      <PageHeader
        scope={t('frame.allSites')}
        title={t('nav.workflows')}
        actions={
          <>
            {places.map(({ id, label, icon, path }) => (
              <Button
                key={id}
                variant="default"
                leftSection={<Icon name={icon} />}
                onClick={() => goTo(path)}
              >
                {t(label)}
              </Button>
            ))}
            <Button leftSection={<Icon name="plus" />} onClick={() => askName({ kind: 'new' })}>
              {t('workflows.new')}
            </Button>
          </>
        }
      />
      <div className={classes['filter']}>
        <SearchInput label={t('workflows.filter')} value={query} onChange={setQuery} />
      </div>
      <div className={tableClasses['body']}>
        {allWorkflows !== undefined && shown.length === 0 && (
          <EmptyState>{t(query === '' ? 'workflows.none' : 'tree.noHit')}</EmptyState>
        )}
        {shown.length > 0 && <WorkflowTable workflows={shown} />}
      </div>
    </div>
  );
}

function askName(naming: Naming): void {
  openDialog((onClose) => <NameDialog {...naming} onClose={onClose} />);
}

function WorkflowTable({ workflows }: { readonly workflows: readonly Workflow[] }) {
  return (
    <DataTable
      className={`${tableClasses['table']} ${classes['table']}`}
      rows={workflows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t('workflows.columns.enabled'),
          cell: (workflow) => (
            <Switch
              aria-label={t('workflows.enabledOf', { name: workflow.name })}
              checked={workflow.enabled}
              onChange={() => void runCommand(switchCommand(workflow))}
            />
          ),
        },
        {
          head: t('fields.name'),
          className: classes['name'],
          cell: ({ id, name, description }) => (
            <>
              <Link href={paths.workflow(id)}>{name}</Link>
              {description !== '' && <span className="meta">{description}</span>}
            </>
          ),
        },
        { head: t('workflows.columns.starts'), cell: (workflow) => <Starts workflow={workflow} /> },
        { head: t('workflows.columns.last'), cell: (workflow) => <LastRun workflow={workflow} /> },
        {
          head: t('workflows.columns.next'),
          className: 'tabular',
          cell: ({ next_run }) => (next_run === 0 ? <span className="quiet">–</span> : timeText(next_run)),
        },
        {
          head: t('actions.more'),
          isHeadHidden: true,
          className: classes['menu'],
          cell: (workflow) => (
            <CommandMenu
              label={t('workflows.actionsOf', { name: workflow.name })}
              commands={rowCommands(workflow)}
            />
          ),
        },
      ]}
    />
  );
}

function LastRun({ workflow: { id, last_run_at, last_status } }: { readonly workflow: Workflow }) {
  if (last_run_at === 0) return <span className="quiet">{t('workflows.never')}</span>;
  return (
    <Link
      href={paths.workflow(id, 'runs')}
      className={tableClasses['status']}
      data-status={last_status === '' ? undefined : last_status}
    >
      <Icon name={last_status === 'error' ? 'warning-circle' : 'check-circle'} />
      {t(last_status === 'error' ? 'workflows.failedAt' : 'workflows.okAt', {
        time: timeText(last_run_at / 1000),
      })}
    </Link>
  );
}

/** What starts a workflow from outside. */
function Starts({ workflow: { flow } }: { readonly workflow: Workflow }) {
  const { data: types } = useNodeTypes();
  const starts = types === undefined ? [] : flow.nodes.filter((node) => computePorts(node, types).isStart);
  if (starts.length === 0 && types !== undefined)
    return <span className="quiet">{t('workflows.noStart')}</span>;
  return (
    <ul className={classes['starts']}>
      {starts.slice(0, maxStarts).map((node) => (
        <li key={node.id}>
          <Icon name={chooseIcon(node.type)} />
          <span>
            {node.type === 'inject' && !node.config['cron']
              ? nodeName(node)
              : formatSummary(node) || nodeName(node)}
          </span>
        </li>
      ))}
      {starts.length > maxStarts && <li className="quiet">+ {starts.length - maxStarts}</li>}
    </ul>
  );
}

const maxStarts = 3;

function switchCommand({ id, name, enabled }: Workflow): Command {
  const change = (isOn: boolean) => workflows.update(id, { enabled: isOn });
  return {
    id: 'workflow.switch',
    label: enabled ? 'workflows.switchOff' : 'workflows.switchOn',
    icon: 'play',
    async run() {
      await change(!enabled);
      return {
        message: t(enabled ? 'workflows.isOff' : 'workflows.isOn', { name }),
        undo: () => change(enabled),
      };
    },
  };
}

function rowCommands(workflow: Workflow): readonly Command[] {
  return [
    {
      id: 'workflow.rename',
      label: 'workflows.rename',
      icon: 'pencil-simple',
      run: () => askName({ kind: 'rename', of: workflow }),
    },
    {
      id: 'workflow.copy',
      label: 'workflows.copy',
      icon: 'copy',
      run: () => askName({ kind: 'copy', of: workflow }),
    },
    deleteCommand(workflows, workflow.id, { label: 'workflows.delete', name: workflow.name }),
  ];
}

interface NameDialogProps {
  readonly kind: 'new' | 'rename' | 'copy';
  /** The workflow that gets another name, or a copy. */
  readonly of?: Workflow;
  onClose(): void;
}

const titles = { new: 'workflows.new', rename: 'workflows.rename', copy: 'workflows.copy' } as const;
const submits = {
  new: 'workflows.create',
  rename: 'workflows.rename',
  copy: 'workflows.createCopy',
} as const;

/** Asks for the name of a new workflow, of a copy, or for another name. */
function NameDialog({ kind, of, onClose }: NameDialogProps) {
  const before = of?.name ?? '';
  const label = 'fields.name';
  return (
    <CreateDialog
      title={t(titles[kind])}
      submit={t(submits[kind])}
      initial={{ name: kind === 'copy' ? t('duplicate.copyOf', { name: before }) : before }}
      fields={[kind === 'copy' ? { name: 'name', label, help: 'workflows.copyHelp' } : 'name']}
      create={async ({ name }) => {
        if (kind === 'rename' && of !== undefined) return void (await workflows.update(of.id, { name }));
        // A copy is off, because its HTTP inputs have the paths of the original.
        const fields = of === undefined ? {} : { description: of.description, flow: of.flow, enabled: false };
        goTo(paths.workflow((await createWorkflow({ name, ...fields })).id));
      }}
      onClose={onClose}
    />
  );
}
