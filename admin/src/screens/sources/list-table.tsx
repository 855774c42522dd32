import { t } from '../../base/i18n/index.ts';
import { JsonTree } from '../../ui/values/json-tree.tsx';
import { listFieldNames, textOfCell } from './list-columns.ts';
import classes from './sources.module.css';

/** Entries on the screen. */
const maxRows = 100;

/** What the path of a source finds, as templates get it: the entries of a list as rows. */
export function ListTable({ list }: { readonly list: unknown }) {
  if (!Array.isArray(list)) {
    return (
      <>
        <p className="line quiet">{t('sources.notList')}</p>
        <JsonTree value={list} />
      </>
    );
  }
  const rows: readonly unknown[] = list.slice(0, maxRows);
  const columns = listFieldNames(rows);
  const left = list.length - rows.length;
  return (
    <>
      <p className="meta line">{t('sources.found', { count: list.length })}</p>
      <table className={classes['grid']}>
        <thead>
          <tr>
            <th scope="col">{t('sources.position')}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column === '' ? t('sources.value') : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list have no other name than their place
            <tr key={index}>
              <th scope="row">{index}</th>
              {columns.map((column) => (
                <td key={column} title={textOfCell(row, column)}>
                  {textOfCell(row, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p className="meta line">{t('json.more', { count: left })}</p>}
    </>
  );
}
