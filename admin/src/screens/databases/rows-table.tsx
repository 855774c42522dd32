import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { DataTable, type Column as TableColumn } from '../../kit/table/data-table.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import { cellText, keyText } from './cell-text.ts';
import classes from './databases.module.css';
import type { Column, Row } from './queries.ts';

export interface RowsTableProps {
  readonly columns: readonly Column[];
  readonly records: readonly Row[];
  /** Name of a column, with `-` in front when descending. */
  readonly sort: string;
  /** Index of the row that is open. */
  readonly open: number | undefined;
  /** The rows of the page before, while the next ones are on their way. */
  readonly isOld: boolean;
  addressOf(row: number): string;
  onSort(sort: string): void;
}

/** Rows of an external table. The first cell of a row opens it. */
export function RowsTable({ columns, records, sort, open, isOld, addressOf, onSort }: RowsTableProps) {
  return (
    <section className={classes['scroll']} aria-label={t('databases.rows')} aria-busy={isOld}>
      <DataTable
        className={classes['grid']}
        rows={records}
        rowAttributes={(_row, place) => ({ 'data-current': place === open || undefined })}
        columns={[
          {
            head: t('databases.row'),
            isHeadHidden: true,
            cell: (row, place) => (
              <Link
                href={addressOf(place)}
                aria-label={t('databases.openRow', { key: keyText(columns, row) || place + 1 })}
                aria-current={place === open || undefined}
              >
                <Icon name="caret-right" />
              </Link>
            ),
          },
          ...columns.map((column) => columnOf(column, sort, onSort)),
        ]}
      />
    </section>
  );
}

/** Longest part of a value in the table, in characters; the open row has it whole. */
const maxTitle = 300;

function columnOf(column: Column, sort: string, onSort: RowsTableProps['onSort']): TableColumn<Row> {
  const { name, ui_type, field_kind, primary_key } = column;
  const sorted = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
  const textOf = (row: Row) => cellText(row[name]).slice(0, maxTitle);
  return {
    id: `column ${name}`,
    head: (
      <button type="button" className="plain-button" onClick={() => onSort(nextSort(sort, name))}>
        <span>
          {name}
          <span className="meta">{ui_type}</span>
        </span>
        {primary_key && <Icon name="key" />}
        {sorted !== 'none' && <Icon name={sorted === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
      </button>
    ),
    sorted,
    attributes: (row) => ({ 'data-kind': field_kind, title: textOf(row) }),
    cell: textOf,
  };
}

/** The next order after a click on the head of a column: rising, falling, none. */
function nextSort(sort: string, name: string): string {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? '' : name;
}
