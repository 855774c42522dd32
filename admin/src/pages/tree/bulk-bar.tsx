import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CommandButton } from '../../commands/command-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { pageCommands, publishPages } from '../page-commands.ts';
import type { PageTreeEntry } from '../queries.ts';
import classes from './bulk-bar.module.css';

export interface BulkBarProps {
  readonly pages: readonly PageTreeEntry[];
  onDone(): void;
}

/** What can be done with several chosen pages at once. */
export function BulkBar({ pages, onDone }: BulkBarProps) {
  const { t } = useTranslation();
  const commands = pageCommands(pages).filter(({ id }) =>
    ['page.publish', 'page.unpublish', 'page.delete'].includes(id),
  );
  const shown = pages.length === 1 ? [publishPages(pages), ...commands].slice(-2) : commands;
  return (
    <div className={classes['bar']} role="toolbar" aria-label={t('tree.selected', { count: pages.length })}>
      <span className="tabular">{t('tree.selected', { count: pages.length })}</span>
      <span className={classes['actions']}>
        {shown.map((command) => (
          <CommandButton key={command.id} command={command} variant="default" size="compact-sm" />
        ))}
        <ActionIcon size={28} aria-label={t('tree.clear')} onClick={onDone}>
          <Icon name="x" />
        </ActionIcon>
      </span>
    </div>
  );
}
