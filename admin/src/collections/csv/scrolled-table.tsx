import type { ReactNode } from 'react';
import classes from './csv.module.css';

interface ScrolledTableProps {
  readonly label: string;
  /** Parts of a table. */
  readonly children: ReactNode;
}

/** A table that may be wider than the screen. */
export function ScrolledTable({ label, children }: ScrolledTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it has no control of its own, so keys could not scroll it
    <section className={classes['scroll']} aria-label={label} tabIndex={0}>
      <table className={classes['table']}>{children}</table>
    </section>
  );
}
