import { ActionIcon } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../icons/icon.tsx';
import { useCornerHeight } from '../messages/corner.ts';
import classes from './bulk-bar.module.css';

export interface BulkBarProps {
  /** Number of chosen things. */
  readonly count: number;
  /** What became of the last thing that was done, above the bar. */
  readonly notice?: ReactNode;
  readonly children: ReactNode;
  onClear(): void;
}

/** What can be done with several chosen things at once, below their list. */
export function BulkBar({ count, notice, children, onClear }: BulkBarProps) {
  const { ref, height } = useElementSize();
  useCornerHeight('bulk-bar', height);
  return (
    <div ref={ref}>
      {notice}
      <div className={classes['bar']} role="toolbar" aria-label={t('tree.selected', { count })}>
        <span className="tabular">{t('tree.selected', { count })}</span>
        <span className={classes['actions']}>
          {children}
          <ActionIcon size={28} aria-label={t('tree.clear')} onClick={onClear}>
            <Icon name="x" />
          </ActionIcon>
        </span>
      </div>
    </div>
  );
}
