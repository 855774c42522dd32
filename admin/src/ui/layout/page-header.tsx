import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';
import classes from './page-header.module.css';
import { Ruler } from './ruler.tsx';
import { useTitleFocus } from './title-focus.ts';

export interface PageHeaderProps {
  readonly title: string;
  /** Whose things these are: a website, or "All websites". */
  readonly scope: ReactNode;
  readonly actions?: ReactNode;
}

/** The title of a screen above its ruler. */
export function PageHeader({ title, scope, actions }: PageHeaderProps) {
  useDocumentTitle(title);
  return (
    <header>
      <div className={classes['line']}>
        <div className={classes['names']}>
          <div className="meta">{scope}</div>
          <Title order={1} title={title} ref={useTitleFocus(title)} tabIndex={-1}>
            {title}
          </Title>
        </div>
        <div className={classes['actions']}>{actions}</div>
      </div>
      <Ruler />
    </header>
  );
}
