import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { Icon } from '../icons/icon.tsx';
import { useDocumentTitle } from './document-title.ts';
import { Ruler } from './ruler.tsx';
import classes from './side-panel.module.css';
import { useTitleFocus } from './title-focus.ts';

export interface SidePanelProps {
  readonly title: string;
  /** State and buttons beside the title. */
  readonly actions: ReactNode;
  /** Address without the panel; undefined if it is the only thing on the screen. */
  readonly back: string | undefined;
  /** Messages above the body, which do not scroll. */
  readonly strips?: ReactNode;
  /** What is new begins with the focus in its first field. */
  readonly isNew?: boolean;
  readonly children: ReactNode;
}

/** What is open of a list, beside it. */
export function SidePanel({ title, actions, back, strips, isNew = false, children }: SidePanelProps) {
  const body = useRef<HTMLDivElement>(null);
  useDocumentTitle(title, true);
  useEffect(() => {
    const field = isNew ? body.current?.querySelector('input, textarea, [contenteditable]') : undefined;
    if (field instanceof HTMLElement) field.focus();
  }, [isNew]);
  return (
    <section className="fill surface" aria-label={title}>
      <header className={classes['head']}>
        <div className={classes['line']}>
          <h2 title={title} ref={useTitleFocus(title)} tabIndex={-1}>
            {title}
          </h2>
          <div className={classes['actions']}>{actions}</div>
        </div>
        {back !== undefined && (
          <Link href={back} className={classes['close']} aria-label={t('actions.close')}>
            <Icon name="x" size={20} />
          </Link>
        )}
      </header>
      <Ruler />
      {strips}
      <div ref={body} className={classes['body']}>
        {children}
      </div>
    </section>
  );
}
