import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkflowRun } from '../../../api/generated/schema.ts';
import { text, timeText } from '../../../base/i18n/index.ts';
import { runCommand } from '../../../commands/run.ts';
import { clearRuns, repeatRun, useRuns } from '../../../content/workflows.ts';
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx';
import { Icon } from '../../../ui/icons/icon.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import tableClasses from '../../../ui/rows/table.module.css';
import { durationText } from '../state/looks.ts';
import { RunStatsTable } from './run-stats.tsx';
import classes from './runs.module.css';

export interface RunsTabProps {
  readonly id: number;
  readonly name: string;
  /** Shows a run in the graph. */
  onShow(run: WorkflowRun): void;
}

/** The last runs, and how often it ran by day. */
export function RunsTab({ id, name, onShow }: RunsTabProps) {
  const { t } = useTranslation();
  const { data: runs } = useRuns(id);
  const [isClearing, setClearing] = useState(false);
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
          onClick={() => setClearing(true)}
        >
          {t('workflows.clearRuns')}
        </Button>
      </div>
      {runs?.length === 0 && <EmptyState>{t('workflows.runsNone')}</EmptyState>}
      {runs !== undefined && runs.length > 0 && (
        <table className={tableClasses['table']}>
          <thead>
            <tr>
              <th scope="col">{t('workflows.columns.time')}</th>
              <th scope="col">{t('workflows.columns.trigger')}</th>
              <th scope="col">{t('workflows.columns.status')}</th>
              <th scope="col">{t('workflows.columns.duration')}</th>
              <th scope="col">{t('workflows.columns.actions')}</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow key={run.id} id={id} run={run} onShow={onShow} />
            ))}
          </tbody>
        </table>
      )}
      {isClearing && (
        <ConfirmDialog
          title={t('workflows.clearRunsTitle', { name })}
          loss={t('workflows.clearRunsLoss')}
          submit={t('workflows.clearRuns')}
          run={() => clearRuns(id)}
          onClose={() => setClearing(false)}
        />
      )}
    </div>
  );
}

interface RunRowProps {
  readonly id: number;
  readonly run: WorkflowRun;
  onShow(run: WorkflowRun): void;
}

function RunRow({ id, run, onShow }: RunRowProps) {
  const { t } = useTranslation();
  const retry = () =>
    runCommand({
      id: 'run.retry',
      label: 'workflows.retry',
      icon: 'arrows-clockwise',
      async run() {
        const { run: again } = await repeatRun(id, run.id);
        return { message: text('workflows.retried', { status: text(`workflows.status.${again.status}`) }) };
      },
    });
  return (
    <tr>
      <td className="tabular">{timeText(run.started_at / 1000)}</td>
      <td>{t(`workflows.triggers.${run.trigger}`)}</td>
      <td>
        <span className={tableClasses['status']} data-status={run.status}>
          <Icon name={run.status === 'error' ? 'warning-circle' : 'check-circle'} />
          {t(`workflows.status.${run.status}`)}
        </span>
        {run.error !== '' && <div className={classes['error']}>{run.error}</div>}
      </td>
      <td className="tabular">{durationText(run.duration_ms)}</td>
      <td className={classes['actions']}>
        <Button variant="default" size="compact-sm" onClick={() => onShow(run)}>
          {t('workflows.showInGraph')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => void retry()}>
          {t('workflows.retry')}
        </Button>
      </td>
    </tr>
  );
}
