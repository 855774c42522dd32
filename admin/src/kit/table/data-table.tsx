import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly head: string;
  /** Only read out: the cells say it themselves. */
  readonly isHeadHidden?: boolean;
  /** Its cells name their rows. */
  readonly isName?: boolean;
  readonly className?: string | undefined;
  cell(row: Row): ReactNode;
}

export interface DataTableProps<Row> {
  /** Style of the table, from a module of styles. */
  readonly className: string | undefined;
  readonly rowClassName?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string | number;
}

/** A table of a few rows, told by its columns. */
export function DataTable<Row>({ className, rowClassName, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <table className={className}>
      <thead>
        <tr>
          {columns.map(({ head, isHeadHidden = false }) => (
            <th key={head} scope="col">
              {isHeadHidden ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={rowClassName}>
            {columns.map(({ head, isName = false, className: ofCell, cell }) =>
              isName ? (
                <th key={head} scope="row" className={ofCell}>
                  {cell(row)}
                </th>
              ) : (
                <td key={head} className={ofCell}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
