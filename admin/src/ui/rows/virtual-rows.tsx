import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import classes from './virtual-rows.module.css';

export interface VirtualRowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  /** The row that is on the screen at first. */
  readonly initialIndex?: number;
  /** Without lines between the rows. */
  readonly isPlain?: boolean;
  keyOf(row: Row): string | number;
  render(row: Row, index: number): ReactNode;
}

/** A long list of rows of one height, of which only those on the screen exist. */
export function VirtualRows<Row>({
  label,
  rows,
  rowHeight,
  initialIndex,
  isPlain = false,
  keyOf,
  render,
}: VirtualRowsProps<Row>) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialOffset: Math.max(0, (initialIndex ?? 0) - 4) * rowHeight,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list without controls scrolls by keys
    <section ref={scroller} className={classes['scroller']} tabIndex={0} aria-label={label}>
      <ul
        className={classes['rows']}
        data-plain={isPlain || undefined}
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={keyOf(row)}
              className={classes['row']}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              {render(row, index)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
