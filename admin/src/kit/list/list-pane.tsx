import { ActionIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Tooltip } from '../../ui/floating/tooltip.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import { useTitleFocus } from '../../ui/layout/title-focus.ts';
import { SearchInput } from '../../ui/rows/search-input.tsx';
import { useIsListAlone } from './list-and-detail.tsx';
import classes from './list-pane.module.css';

export interface ListPaneProps {
  readonly title: string;
  /** Number of all things, whatever the filter; undefined until it is known. */
  readonly count: number | undefined;
  /** How to add a thing: name of the button and what it does. */
  readonly add?: { readonly label: string; run(): void } | undefined;
  /** Name of the text filter, and its value. */
  readonly filter: string;
  readonly query: string;
  onQuery(query: string): void;
  /** More filters, below the text. */
  readonly chips?: ReactNode;
  readonly children: ReactNode;
}

/** A list beside an editor: its title, a text filter, and the rows. */
export function ListPane({ title, count, add, filter, query, onQuery, chips, children }: ListPaneProps) {
  const isAlone = useIsListAlone();
  return (
    <div className={classes['pane']}>
      <header className={classes['head']}>
        <Title order={isAlone ? 1 : 2} size="h3" ref={useTitleFocus(title)} tabIndex={-1}>
          {title} <span className={classes['count']}>{count?.toLocaleString()}</span>
        </Title>
        {add !== undefined && (
          <Tooltip label={add.label}>
            <ActionIcon aria-label={add.label} onClick={add.run}>
              <Icon name="plus" size={20} />
            </ActionIcon>
          </Tooltip>
        )}
      </header>
      <div className={classes['filter']}>
        <SearchInput label={filter} value={query} onChange={onQuery} />
        {chips}
      </div>
      {children}
    </div>
  );
}
