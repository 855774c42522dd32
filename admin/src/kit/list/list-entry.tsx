import type { ReactNode } from 'react';
import { Link } from '../../base/router/link.tsx';
import classes from './list-entry.module.css';

export interface ListEntryProps {
  readonly href: string;
  readonly isCurrent: boolean;
  /** Where it lies, with a slash at the end; empty for none. */
  readonly folder?: string;
  readonly name: string;
  /** Tags after the name. */
  readonly children?: ReactNode;
}

/** A row of a list beside an editor. */
export function ListEntry({ href, isCurrent, folder = '', name, children }: ListEntryProps) {
  return (
    <Link href={href} className={classes['entry']} aria-current={isCurrent ? 'page' : undefined}>
      <span className={classes['folder']}>{folder}</span>
      <span className={classes['name']}>{name}</span>
      {children}
    </Link>
  );
}

/** A short word about a row. */
export function ListTag({
  tone = 'slate',
  children,
}: {
  readonly tone?: 'slate' | 'ochre';
  readonly children: ReactNode;
}) {
  return (
    <span className={classes['tag']} data-tone={tone}>
      {children}
    </span>
  );
}
