import type { ReactNode } from 'react';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import classes from './csv.module.css';

interface ScrolledTableProps {
  readonly label: string;
  /** Parts of a table. */
  readonly children: ReactNode;
}

/** A table that may be wider than the screen. */
export function ScrolledTable({ label, children }: ScrolledTableProps) {
  return (
    <ScrollRegion className={classes['scroll']} label={label}>
      <table className={classes['table']}>{children}</table>
    </ScrollRegion>
  );
}
