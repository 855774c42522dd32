import { useTranslation } from 'react-i18next';
import { textIfKnown } from '../../base/i18n/index.ts';
import classes from './databases.module.css';
import type { Column } from './queries.ts';

/** The columns of a table, as the service describes them. */
export function ColumnList({ columns }: { readonly columns: readonly Column[] }) {
  const { t } = useTranslation();
  return (
    <div className={classes['columns']}>
      <table className={classes['grid']}>
        <thead>
          <tr>
            <th scope="col">{t('fields.name')}</th>
            <th scope="col">{t('schema.type')}</th>
            <th scope="col">{t('databases.kind')}</th>
            <th scope="col">{t('databases.rules')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ name, ui_type, field_kind, primary_key, nullable }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{ui_type}</td>
              <td>{textIfKnown(`databases.kinds.${field_kind}`) ?? field_kind}</td>
              <td>
                {[primary_key ? t('databases.key') : '', nullable ? '' : t('databases.required')]
                  .filter((part) => part !== '')
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
