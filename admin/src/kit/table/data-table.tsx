import type { HTMLAttributes, ReactNode } from 'react';
import { EmptyState } from '../../ui/messages/empty-state.tsx';

/** What a row or a cell says of itself to styles and to people who hear it. */
type Attributes<Element> = HTMLAttributes<Element> & { readonly [name: `data-${string}`]: unknown };

export interface Column<Row> {
  /** Tells it from the others. Default: its head. */
  readonly id?: string;
  readonly head: ReactNode;
  /** Only read out: the cells say it themselves. */
  readonly isHeadHidden?: boolean;
  /** How the rows are ordered by it, where they can be. */
  readonly sorted?: 'ascending' | 'descending' | 'none';
  /** Its cells name their rows. */
  readonly isName?: boolean;
  readonly className?: string | undefined;
  attributes?(row: Row): Attributes<HTMLTableCellElement>;
  cell(row: Row, place: number): ReactNode;
}

export interface DataTableProps<Row> {
  readonly caption?: string;
  /** Style of the table, from a module of styles. */
  readonly className: string | undefined;
  readonly columns: readonly Column<Row>[];
  /** Undefined until they are known. */
  readonly rows: readonly Row[] | undefined;
  /** Said in place of a table without rows. */
  readonly none?: string;
  /** Default: the place of the row, where nothing else tells rows apart. */
  keyOf?(row: Row): string | number;
  rowAttributes?(row: Row, place: number): Attributes<HTMLTableRowElement>;
}

/** A table of a few rows, told by its columns. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, className = '', columns, rows, none, keyOf, rowAttributes } = props;
  if (rows === undefined) return null;
  if (rows.length === 0 && none !== undefined) return <EmptyState>{none}</EmptyState>;
  return (
    <table className={`data-table ${className}`}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ id, head, isHeadHidden = false, sorted }) => (
            <th key={id ?? String(head)} scope="col" aria-sort={sorted}>
              {isHeadHidden ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={keyOf?.(row) ?? place} {...rowAttributes?.(row, place)}>
            {columns.map(({ id, head, isName = false, className: ofCell, attributes, cell }) => {
              const Cell = isName ? 'th' : 'td';
              return (
                <Cell
                  key={id ?? String(head)}
                  {...(isName ? { scope: 'row' } : {})}
                  className={ofCell}
                  {...attributes?.(row)}
                >
                  {cell(row, place)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
