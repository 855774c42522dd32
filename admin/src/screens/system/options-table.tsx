import type { System } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import classes from './system.module.css';

/** The start options; those that were set stand out. */
export function OptionsTable({ options }: { readonly options: System['options'] }) {
  return (
    <div className={classes['options']}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">{t('operation.option')}</th>
            <th scope="col">{t('operation.value')}</th>
            <th scope="col">{t('operation.meaning')}</th>
          </tr>
        </thead>
        <tbody>
          {options.map(({ name, value, default: usual, help }) => (
            <tr key={name}>
              <th scope="row">
                <code>-{name}</code>
              </th>
              <td data-set={value !== usual || undefined}>
                {value === '' ? <span className="quiet">–</span> : value}
                {value !== usual && usual !== '' && (
                  <span className="meta"> {t('operation.usually', { value: usual })}</span>
                )}
              </td>
              <td className="quiet" lang="en">
                {help}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
