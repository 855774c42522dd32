import { UnstyledButton } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useRights } from '../../api/session/rights.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { runCommand } from '../../commands/run.ts';
import { useCurrentSite } from '../../content/current-site.ts';
import { type PageTreeEntry, usePageTree } from '../../content/pages.ts';
import { Menu, MenuDivider, MenuItem } from '../../ui/floating/menu.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import { styled } from '../../ui/theme/styled.ts';
import { frameCommands } from './frame-commands.ts';
import { needsOfSites } from './navigation.ts';
import classes from './site-switcher.module.css';

const SearchInput = lazy(async () => ({
  default: (await styled(() => import('../../ui/rows/search-input.tsx'))).SearchInput,
}));

/** Above this number of websites the menu has a search. */
const maxWithoutSearch = 8;

/** Screens of a website, which stay when another one is chosen. */
const siteScreens = [
  { name: 'redirects', path: paths.redirects },
  { name: 'statistics', path: (site: number) => paths.statistics(site) },
] as const;

/** The chosen website. Another choice keeps the screen. */
export function SiteSwitcher({ isNarrow }: { readonly isNarrow: boolean }) {
  const { data: pages = [] } = usePageTree();
  const current = useCurrentSite();
  const mayMakeSites = useRights()(needsOfSites);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [query, setQuery] = useState('');
  const sites = pages.filter(({ parent_id }) => parent_id === null);
  const site = sites.find(({ id }) => id === current);
  const shown = sites.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()));
  const choose = ({ id }: PageTreeEntry) => {
    const screen = siteScreens.find(({ name }) => path.endsWith(`/${name}`));
    goTo((screen?.path ?? paths.pages)(id));
  };
  return (
    <Menu
      position="bottom-start"
      width={260}
      onClose={() => setQuery('')}
      button={
        <UnstyledButton
          className={classes['site']}
          data-narrow={isNarrow || undefined}
          aria-label={t('frame.switchSite', { title: site?.title ?? '' })}
        >
          <span className={classes['mark']} data-letter={(site?.title ?? 'I').charAt(0)} />
          <span className={classes['title']}>{site?.title ?? 'Incipit'}</span>
          <span className={classes['caret']}>
            <Icon name="caret-up-down" />
          </span>
        </UnstyledButton>
      }
    >
      {sites.length > maxWithoutSearch && (
        <Suspense>
          <SearchInput label={t('frame.searchSite')} value={query} onChange={setQuery} />
        </Suspense>
      )}
      {shown.map((entry) => (
        <MenuItem
          key={entry.id}
          leftSection={<Icon name={entry.id === current ? 'check' : 'globe-simple'} />}
          onClick={() => choose(entry)}
        >
          {entry.title}
        </MenuItem>
      ))}
      {mayMakeSites && (
        <>
          <MenuDivider />
          <MenuItem leftSection={<Icon name="plus" />} onClick={() => void runCommand(frameCommands.newSite)}>
            {t('site.new')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
