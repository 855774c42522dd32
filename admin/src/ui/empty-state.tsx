import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { Ruler } from './ruler.tsx';

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
