import { Button } from '@mantine/core';
import type { WorkflowRun } from '../../../api/generated/schema.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { runCommand } from '../../../commands/run.ts';
import { clearRuns, repeatRun, useRunStats, useRuns } from '../../../content/workflows.ts';
import { confirmFirst } from '../../../kit/form/confirm-first.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import tableClasses from '../../../ui/rows/table.module.css';
import { durationText } from '../state/looks.ts';
import classes from './runs.module.css';

export interface RunsTabProps {
  readonly id: number;
  readonly name: string;
  /** Shows a run in the graph. */
  onShow(run: WorkflowRun): void;
}

/** The last runs, and how often it ran by day. */
export function RunsTab({ id, name, onShow }: RunsTabProps) {
  const { data: runs } = useRuns(id);
  return (
    <div className={classes['tab']}>
      <RunStatsTable id={id} />
      <div className={classes['head']}>
        <p className="quiet line">{t('workflows.runsHelp')}</p>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="trash" />}
          disabled={runs === undefined || runs.length === 0}
          onClick={() =>
            confirmFirst({
              title: t('workflows.clearRunsTitle', { name }),
              loss: t('workflows.clearRunsLoss'),
              submit: t('workflows.clearRuns'),
              run: () => clearRuns(id),
            })
          }
        >
          {t('workflows.clearRuns')}
        </Button>
      </div>
      <DataTable
        className={tableClasses['table']}
        rows={runs}
        none={t('workflows.runsNone')}
        keyOf={(run) => run.id}
        columns={[
          {
            head: t('workflows.columns.time'),
            className: 'tabular',
            cell: (run) => timeText(run.started_at / 1000),
          },
          { head: t('workflows.columns.trigger'), cell: (run) => t(`workflows.triggers.${run.trigger}`) },
          { head: t('workflows.columns.status'), cell: (run) => <RunStatus run={run} /> },
          {
            head: t('workflows.columns.duration'),
            className: 'tabular',
            cell: (run) => durationText(run.duration_ms),
          },
          {
            head: t('workflows.columns.actions'),
            className: classes['actions'],
            cell: (run) => <RunActions id={id} run={run} onShow={onShow} />,
          },
        ]}
      />
    </div>
  );
}

function RunStatus({ run: { status, error } }: Pick<RunActionsProps, 'run'>) {
  return (
    <>
      <span className={tableClasses['status']} data-status={status}>
        <Icon name={status === 'error' ? 'warning-circle' : 'check-circle'} />
        {t(`workflows.status.${status}`)}
      </span>
      {error !== '' && <div className={classes['error']}>{error}</div>}
    </>
  );
}

interface RunActionsProps {
  readonly id: number;
  readonly run: WorkflowRun;
  onShow(run: WorkflowRun): void;
}

function RunActions({ id, run, onShow }: RunActionsProps) {
  const retry = () =>
    runCommand({
      id: 'run.retry',
      label: 'workflows.retry',
      icon: 'arrows-clockwise',
      async run() {
        const { run: again } = await repeatRun(id, run.id);
        return { message: t('workflows.retried', { status: t(`workflows.status.${again.status}`) }) };
      },
    });
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => onShow(run)}>
        {t('workflows.showInGraph')}
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => void retry()}>
        {t('workflows.retry')}
      </Button>
    </>
  );
}

/** Runs by day: a row of bars, and the same as a table. */
function RunStatsTable({ id }: { readonly id: number }) {
  const { data: stats } = useRunStats(id);
  if (stats === undefined || stats.runs === 0) return null;
  const most = Math.max(...stats.days.map(({ runs }) => runs));
  return (
    <section className={classes['stats']} aria-label={t('workflows.stats')}>
      <h2>{t('workflows.stats')}</h2>
      <p className="line">
        {t('workflows.statsRuns', { count: stats.runs })} ·{' '}
        {t('workflows.statsErrors', { count: stats.errors })}
      </p>
      <div className={classes['bars']} aria-hidden="true">
        {stats.days.map(({ day, runs, errors }) => (
          <span key={day} className={classes['bar']} style={{ height: `${(runs / most) * 100}%` }}>
            <span style={{ height: `${(errors / runs) * 100}%` }} />
          </span>
        ))}
      </div>
      <details>
        <summary>{t('workflows.tabs.list')}</summary>
        <DataTable
          className={tableClasses['table']}
          rowAttributes={() => ({ className: 'tabular' })}
          rows={stats.days.toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { head: t('workflows.day'), cell: ({ day }) => day },
            { head: t('workflows.tabs.runs'), cell: ({ runs }) => runs },
            { head: t('workflows.failedRuns'), cell: ({ errors }) => errors },
            { head: t('workflows.median'), cell: ({ p50_ms }) => durationText(p50_ms) },
            { head: t('workflows.slowest'), cell: ({ p99_ms }) => durationText(p99_ms) },
          ]}
        />
      </details>
    </section>
  );
}
