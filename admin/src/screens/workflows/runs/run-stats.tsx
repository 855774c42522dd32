import { useTranslation } from 'react-i18next';
import { useRunStats } from '../../../content/workflows.ts';
import tableClasses from '../../../ui/rows/table.module.css';
import { durationText } from '../state/looks.ts';
import classes from './runs.module.css';

/** Runs by day: a row of bars, and the same as a table. */
export function RunStatsTable({ id }: { readonly id: number }) {
  const { t } = useTranslation();
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
        <table className={tableClasses['table']}>
          <thead>
            <tr>
              <th scope="col">{t('workflows.day')}</th>
              <th scope="col">{t('workflows.tabs.runs')}</th>
              <th scope="col">{t('workflows.failedRuns')}</th>
              <th scope="col">{t('workflows.median')}</th>
              <th scope="col">{t('workflows.slowest')}</th>
            </tr>
          </thead>
          <tbody>
            {stats.days.toReversed().map((day) => (
              <tr key={day.day} className="tabular">
                <td>{day.day}</td>
                <td>{day.runs}</td>
                <td>{day.errors}</td>
                <td>{durationText(day.p50_ms)}</td>
                <td>{durationText(day.p99_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
