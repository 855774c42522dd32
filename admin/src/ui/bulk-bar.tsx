import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './bulk-bar.module.css';
import { Icon } from './icon.tsx';

export interface BulkBarProps {
  /** Number of chosen things. */
  readonly count: number;
  readonly children: ReactNode;
  onClear(): void;
}

/** What can be done with several chosen things at once, below their list. */
export function BulkBar({ count, children, onClear }: BulkBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['bar']} role="toolbar" aria-label={t('tree.selected', { count })}>
      <span className="tabular">{t('tree.selected', { count })}</span>
      <span className={classes['actions']}>
        {children}
        <ActionIcon size={28} aria-label={t('tree.clear')} onClick={onClear}>
          <Icon name="x" />
        </ActionIcon>
      </span>
    </div>
  );
}
