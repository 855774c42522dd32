import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
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
  const rows = records.map((record, place) => ({ record, place, key: keyText(columns, record) }));
  return (
    <section className={classes['scroll']} aria-label={t('databases.rows')} aria-busy={isOld}>
      <table className={classes['grid']}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('databases.row')}</span>
            </th>
            {columns.map((column) => (
              <Head key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ record, place, key }) => (
            <tr key={place} data-current={place === open || undefined}>
              <td>
                <Link
                  href={addressOf(place)}
                  aria-label={t('databases.openRow', { key: key === '' ? place + 1 : key })}
                  aria-current={place === open || undefined}
                >
                  <Icon name="caret-right" />
                </Link>
              </td>
              {columns.map(({ name, field_kind }) => (
                <td key={name} data-kind={field_kind} title={cellText(record[name]).slice(0, maxTitle)}>
                  {cellText(record[name]).slice(0, maxTitle)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Longest part of a value in the table, in characters; the open row has it whole. */
const maxTitle = 300;

interface HeadProps {
  readonly column: Column;
  readonly sort: string;
  onSort(sort: string): void;
}

function Head({ column: { name, ui_type, primary_key }, sort, onSort }: HeadProps) {
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  return (
    <th scope="col" aria-sort={direction ?? 'none'}>
      <button type="button" onClick={() => onSort(nextSort(sort, name))}>
        <span>
          {name}
          <span className="meta">{ui_type}</span>
        </span>
        {primary_key && <Icon name="key" />}
        {direction !== undefined && <Icon name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'} />}
      </button>
    </th>
  );
}

/** The next order after a click on the head of a column: rising, falling, none. */
function nextSort(sort: string, name: string): string {
  if (sort === name) return `-${name}`;
  return sort === `-${name}` ? '' : name;
}
