import { NativeSelect } from '@mantine/core';
import type { CsvColumn } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import classes from './csv.module.css';
import { withPlace } from './place.ts';
import { ScrolledTable } from './scrolled-table.tsx';

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
    <ScrolledTable label={t('csv.columns')}>
      <thead>
        <tr>
          <th>{t('csv.column')}</th>
          <th>{t('csv.samples')}</th>
          <th>{t('csv.becomes')}</th>
        </tr>
      </thead>
      <tbody>
        {withPlace(columns).map(({ name, samples, place }) => (
          <tr key={place}>
            <th scope="row">{name}</th>
            <td className={classes['samples']}>{samples.slice(0, 3).join(' · ')}</td>
            <td>
              <NativeSelect
                aria-label={t('csv.fieldOf', { column: name })}
                data={choices}
                value={mapping[place] ?? ''}
                onChange={(event) => onChange(mapping.with(place, event.currentTarget.value))}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
