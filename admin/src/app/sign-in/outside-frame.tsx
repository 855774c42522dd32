import type { ReactNode } from 'react';
import { Overlays } from '../../ui/floating/overlays.tsx';
import { Ruler } from '../../ui/layout/ruler.tsx';
import { LanguageChoice } from './language-choice.tsx';
import classes from './outside-frame.module.css';

/** The screens before the frame: login and first run. */
export function OutsideFrame({
  children,
  isWide = false,
}: {
  readonly children: ReactNode;
  readonly isWide?: boolean;
}) {
  return (
    <div className={classes['page']}>
      <header className={classes['head']}>
        <span className={classes['name']}>Incipit</span>
        <LanguageChoice />
      </header>
      <main className={classes['main']} data-wide={isWide || undefined}>
        <div className={classes['sheet']}>
          <Ruler />
          <div className={classes['content']}>{children}</div>
        </div>
        <Overlays />
      </main>
    </div>
  );
}
