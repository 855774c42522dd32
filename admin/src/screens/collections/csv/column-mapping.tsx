import { NativeSelect } from '@mantine/core';
import type { CsvColumn } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import classes from './csv.module.css';

/** Words of a mapping that are no fields. */
const special = ['_published', '_draft', '_id'] as const;

export interface ColumnMappingProps {
  readonly columns: readonly CsvColumn[];
  readonly mapping: readonly string[];
  readonly fields: readonly { readonly value: string; readonly label: string }[];
  /** Columns may hold the state and the ID of entries too. */
  readonly hasStatus?: boolean;
  onChange(mapping: readonly string[]): void;
}

/** Which column of a file goes where, with its first values. */
export function ColumnMapping({ columns, mapping, fields, hasStatus = false, onChange }: ColumnMappingProps) {
  const choices = [
    { value: '', label: t('csv.ignore') },
    ...fields,
    ...(hasStatus ? special.map((value) => ({ value, label: t(`csv.special.${value}`) })) : []),
  ];
  return (
    <ScrollRegion className={classes['scroll']} label={t('csv.columns')}>
      <DataTable
        className={classes['table']}
        rows={columns}
        columns={[
          { head: t('csv.column'), isName: true, cell: ({ name }) => name },
          {
            head: t('csv.samples'),
            className: classes['samples'],
            cell: ({ samples }) => samples.slice(0, 3).join(' · '),
          },
          {
            head: t('csv.becomes'),
            cell: ({ name }, place) => (
              <NativeSelect
                aria-label={t('csv.fieldOf', { column: name })}
                data={choices}
                value={mapping[place] ?? ''}
                onChange={(event) => onChange(mapping.with(place, event.currentTarget.value))}
              />
            ),
          },
        ]}
      />
    </ScrollRegion>
  );
}
