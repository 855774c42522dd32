import { Button } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './databases.module.css';
import type { ExtdbRows } from './queries.ts';

export interface PagerProps {
  readonly page: ExtdbRows;
  onPage(page: number): void;
}

/** Which rows are shown, and the ways to those before and after. */
export function Pager({ page: { records, offset, total, page, has_more }, onPage }: PagerProps) {
  return (
    <nav className={classes['pager']} aria-label={t('databases.pages')}>
      <span className="tabular" role="status">
        {t('databases.shown', {
          from: (offset + Math.min(1, records.length)).toLocaleString(),
          to: (offset + records.length).toLocaleString(),
          total: total.toLocaleString(),
        })}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="arrow-left" />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        {t('databases.previous')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={<Icon name="arrow-right" />}
        disabled={!has_more}
        onClick={() => onPage(page + 1)}
      >
        {t('databases.next')}
      </Button>
    </nav>
  );
}
