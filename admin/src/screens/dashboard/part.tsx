import type { ReactNode } from 'react';
import { Link } from '../../base/router/link.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import type { IconName } from '../../ui/icons/icons.ts';
import classes from './dashboard.module.css';

/** A titled list of the dashboard. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={classes['part']} aria-label={title}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

/** What a list says when it has no rows. */
export function NoRows({ children }: { readonly children: ReactNode }) {
  return <li className={classes['none']}>{children}</li>;
}

export interface RowProps {
  /** Undefined for what cannot be opened. */
  readonly href?: string | undefined;
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
  readonly mark?: ReactNode;
}

export function Row({ href, icon, title, detail, mark }: RowProps) {
  const content = (
    <>
      <Icon name={icon} size={20} />
      <span className={classes['text']}>
        <b>{title}</b>
        <span className="meta">{detail}</span>
      </span>
      {mark}
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <div className={classes['row']}>{content}</div>
      ) : (
        <Link href={href} className={classes['row']}>
          {content}
        </Link>
      )}
    </li>
  );
}
