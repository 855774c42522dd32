import type { System } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import classes from './system.module.css';

/** The start options; those that were set stand out. */
export function OptionsTable({ options }: { readonly options: System['options'] }) {
  return (
    <div className={classes['options']}>
      <DataTable
        className={classes['table']}
        rows={options}
        keyOf={({ name }) => name}
        columns={[
          { head: t('operation.option'), isName: true, cell: ({ name }) => <code>-{name}</code> },
          {
            head: t('operation.value'),
            attributes: ({ value, default: usual }) => ({ 'data-set': value !== usual || undefined }),
            cell: ({ value, default: usual }) => (
              <>
                {value === '' ? <span className="quiet">–</span> : value}
                {value !== usual && usual !== '' && (
                  <span className="meta"> {t('operation.usually', { value: usual })}</span>
                )}
              </>
            ),
          },
          {
            head: t('operation.meaning'),
            className: 'quiet',
            attributes: () => ({ lang: 'en' }),
            cell: ({ help }) => help,
          },
        ]}
      />
    </div>
  );
}
