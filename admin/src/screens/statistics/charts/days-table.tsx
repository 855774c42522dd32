import { t } from '../../../base/i18n/index.ts';
import { countText } from '../../../base/i18n/numbers.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import { dateText } from '../model/names.ts';
import classes from './days-table.module.css';
import type { Series } from './series.ts';

export interface DaysTableProps {
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

interface Day {
  readonly day: string;
  readonly index: number;
}

/** The figures of a chart, newest first. */
export function DaysTable({ days, series }: DaysTableProps) {
  return (
    <details className={classes['asTable']}>
      <summary>{t('statistics.asTable')}</summary>
      <ScrollRegion className={classes['scrolled']} label={t('statistics.byDay')}>
        <DataTable
          className={classes['table']}
          rows={days.map((day, index) => ({ day, index })).toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { head: t('statistics.day'), isName: true, cell: ({ day }) => dateText(day) },
            ...series.map(({ id, label, values }) => ({
              id,
              head: label,
              cell: ({ index }: Day) => countText(values[index] ?? 0),
            })),
          ]}
        />
      </ScrollRegion>
    </details>
  );
}
