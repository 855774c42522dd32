import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Range } from '../../base/range.ts';
import classes from './virtual-grid.module.css';

export interface VirtualGridProps {
  readonly label: string;
  readonly count: number;
  /** Smallest width of a column, in pixels; without it there is one column. */
  readonly minWidth?: number;
  /** Height of a row with its gap, in pixels. */
  readonly rowHeight: number;
  /** Places that are on the screen now. */
  onRange(range: Range): void;
  render(index: number): ReactNode;
}

/** Many things in rows and columns, of which only those on the screen exist. Arrows move between buttons. */
export function VirtualGrid({ label, count, minWidth, rowHeight, onRange, render }: VirtualGridProps) {
  const scroller = useRef<HTMLElement>(null);
  const { ref, width } = useElementSize<HTMLElement>();
  const merged = useMergedRef(scroller, ref);
  const columns = minWidth === undefined ? 1 : Math.max(1, Math.floor(width / minWidth));
  const virtual = useVirtualizer({
    count: Math.ceil(count / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
  });
  const rows = virtual.getVirtualItems();
  const first = (rows[0]?.index ?? 0) * columns;
  const last = Math.min(count, ((rows.at(-1)?.index ?? 0) + 1) * columns) - 1;
  const tell = useRef(onRange);
  tell.current = onRange;
  useEffect(() => tell.current({ first, last: Math.max(first, last) }), [first, last]);

  const press = (event: KeyboardEvent<HTMLElement>) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -count,
      End: count,
    };
    const step = steps[event.key];
    const cell = event.target instanceof HTMLElement ? event.target.closest('[data-index]') : null;
    if (step === undefined || cell === null) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(count - 1, Number(cell.getAttribute('data-index')) + step));
    virtual.scrollToIndex(Math.floor(next / columns));
    // After the row has been drawn.
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] :is(a, button)`)?.focus(),
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list without controls scrolls by keys
    <section ref={merged} className={classes['scroller']} tabIndex={0} aria-label={label} onKeyDown={press}>
      <ul className={classes['cells']} style={{ height: virtual.getTotalSize() }}>
        {rows.flatMap(({ index: row, start }) =>
          Array.from({ length: Math.min(columns, count - row * columns) }, (_, column) => {
            const index = row * columns + column;
            return (
              <li
                key={index}
                data-index={index}
                className={classes['cell']}
                aria-setsize={count}
                aria-posinset={index + 1}
                style={{
                  height: rowHeight,
                  width: `${100 / columns}%`,
                  transform: `translate(${column * 100}%, ${start}px)`,
                }}
              >
                {render(index)}
              </li>
            );
          }),
        )}
      </ul>
    </section>
  );
}
