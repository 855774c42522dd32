import { findText, t } from '../../base/i18n/index.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import classes from './databases.module.css';
import type { Column } from './queries.ts';

/** The columns of a table, as the service describes them. */
export function ColumnList({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <div className={classes['columns']}>
      <DataTable
        className={classes['grid']}
        rows={columns}
        keyOf={({ name }) => name}
        columns={[
          { head: t('fields.name'), isName: true, cell: ({ name }) => name },
          { head: t('schema.type'), cell: ({ ui_type }) => ui_type },
          {
            head: t('databases.kind'),
            cell: ({ field_kind }) => findText(`databases.kinds.${field_kind}`) ?? field_kind,
          },
          {
            head: t('databases.rules'),
            cell: ({ primary_key, nullable }) =>
              [primary_key ? t('databases.key') : '', nullable ? '' : t('databases.required')]
                .filter((part) => part !== '')
                .join(', '),
          },
        ]}
      />
    </div>
  );
}
