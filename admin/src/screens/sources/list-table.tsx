import { t } from '../../base/i18n/index.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
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
      <DataTable
        className={classes['grid']}
        rows={rows}
        columns={[
          { head: t('sources.position'), isName: true, cell: (_row, place) => place },
          ...columns.map((column) => ({
            id: `field ${column}`,
            head: column === '' ? t('sources.value') : column,
            attributes: (row: unknown) => ({ title: textOfCell(row, column) }),
            cell: (row: unknown) => textOfCell(row, column),
          })),
        ]}
      />
      {left > 0 && <p className="meta line">{t('json.more', { count: left })}</p>}
    </>
  );
}
