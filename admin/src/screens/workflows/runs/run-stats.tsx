import { t } from '../../../base/i18n/index.ts';
import { useRunStats } from '../../../content/workflows.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import tableClasses from '../../../ui/rows/table.module.css';
import { durationText } from '../state/looks.ts';
import classes from './runs.module.css';

/** Runs by day: a row of bars, and the same as a table. */
export function RunStatsTable({ id }: { readonly id: number }) {
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
          rowClassName="tabular"
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
