import type { ReactNode } from 'react';
import { Ruler } from '../layout/ruler.tsx';
import classes from './empty-state.module.css';

/** One sentence, one button, one link. */
export function EmptyState({
  children,
  action,
}: {
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={classes['empty']}>
      <Ruler width={161} />
      <p>{children}</p>
      {action}
    </div>
  );
}
