import type { ReactNode } from 'react';
import { Icon } from '../icons/icon.tsx';
import classes from './strip.module.css';

export interface StripProps {
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly tone?: 'ochre' | 'brick' | 'slate';
}

/** A message above a part of the screen that stays until something is done about it. */
export function Strip({ children, actions, tone = 'ochre' }: StripProps) {
  return (
    <div className={classes['strip']} data-tone={tone} role="status">
      <Icon name={tone === 'slate' ? 'info' : 'warning'} />
      <span className={classes['text']}>{children}</span>
      <span className={classes['actions']}>{actions}</span>
    </div>
  );
}
