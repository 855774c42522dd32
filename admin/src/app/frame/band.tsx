import { UnstyledButton } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import type { Command } from '../../commands/command.ts';
import { CommandIconButton } from '../../commands/command-button.tsx';
import { keyNames } from '../../commands/keys.ts';
import { runCommand } from '../../commands/run.ts';
import { useCurrentSite } from '../../content/current-site.ts';
import { Tooltip } from '../../ui/floating/tooltip.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './band.module.css';
import { frameCommands } from './frame-commands.ts';
import type { NavigationEntry, NavigationGroup } from './navigation.ts';
import { SiteSwitcher } from './site-switcher.tsx';
import { UserMenu } from './user-menu.tsx';

export interface BandProps {
  readonly navigation: readonly NavigationGroup[];
  /** Shows the website. */
  readonly view: Command | undefined;
  readonly isNarrow: boolean;
  onToggle(): void;
}

/** The band at the left; below 768 px a bar at the bottom. */
export function Band({ navigation, view, isNarrow, onToggle }: BandProps) {
  const site = useCurrentSite();
  const groups = useRef<HTMLDivElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: which entry is the current one follows from the address
  useEffect(() => {
    const current = groups.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  const toggle = isNarrow ? t('frame.widen') : t('frame.narrow');
  return (
    <nav className={classes['band']} data-narrow={isNarrow || undefined} aria-label={t('frame.navigation')}>
      <SiteSwitcher isNarrow={isNarrow} />
      <UnstyledButton className={classes['search']} onClick={() => runCommand(frameCommands.palette)}>
        <Icon name="magnifying-glass" size={20} />
        <span className={classes['label']}>{t('palette.search')}</span>
        <span className={classes['keys']}>{keyNames('mod+K').join(' ')}</span>
      </UnstyledButton>
      <div ref={groups} className={classes['groups']}>
        {navigation.map((group) => (
          <div key={group.label}>
            <div className={classes['group']}>{t(group.label)}</div>
            {group.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} site={site ?? 0} isNarrow={isNarrow} />
            ))}
          </div>
        ))}
      </div>
      <div className={classes['foot']}>
        <UserMenu isNarrow={isNarrow} />
        {view !== undefined && <CommandIconButton command={view} />}
        <CommandIconButton command={frameCommands.shortcuts} />
        <Tooltip label={toggle}>
          <UnstyledButton className={classes['toggle']} aria-label={toggle} onClick={onToggle}>
            <Icon name="sidebar-simple" size={20} />
          </UnstyledButton>
        </Tooltip>
      </div>
    </nav>
  );
}

interface EntryProps {
  readonly entry: NavigationEntry;
  readonly site: number;
  readonly isNarrow: boolean;
}

function Entry({ entry, site, isNarrow }: EntryProps) {
  const href = entry.path(site);
  const [address = ''] = href.split('?');
  const isCurrent = useRouterState({
    select: ({ location }) => {
      const path = location.pathname.replace(/^\/cms-admin(?=\/|$)/, '') || '/';
      const own = address.replace('/cms-admin', '');
      return entry.isExact === true ? path === own : path.startsWith(own);
    },
  });
  return (
    <Tooltip label={t(entry.label)} position="right" disabled={!isNarrow}>
      <Link href={href} className={classes['entry']} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={entry.icon} size={20} />
        <span className={classes['label']}>{t(entry.label)}</span>
      </Link>
    </Tooltip>
  );
}
