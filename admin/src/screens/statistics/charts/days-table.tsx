import { t } from '../../../base/i18n/index.ts';
import { countText } from '../../../base/i18n/numbers.ts';
import { dateText } from '../model/names.ts';
import classes from './days-table.module.css';
import type { Series } from './series.ts';

export interface DaysTableProps {
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

/** The figures of a chart, newest first. */
export function DaysTable({ days, series }: DaysTableProps) {
  return (
    <details className={classes['asTable']}>
      <summary>{t('statistics.asTable')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table without controls scrolls by keys */}
      <section className={classes['scrolled']} tabIndex={0} aria-label={t('statistics.byDay')}>
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">{t('statistics.day')}</th>
              {series.map(({ id, label }) => (
                <th key={id} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days
              .map((day, index) => (
                <tr key={day}>
                  <th scope="row">{dateText(day)}</th>
                  {series.map(({ id, values }) => (
                    <td key={id}>{countText(values[index] ?? 0)}</td>
                  ))}
                </tr>
              ))
              .toReversed()}
          </tbody>
        </table>
      </section>
    </details>
  );
}
