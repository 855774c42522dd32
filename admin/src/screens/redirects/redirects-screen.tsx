import { Tabs } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { usePageTree } from '../../content/pages.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { TabBar } from '../../ui/layout/tab-bar.tsx';
import { NotFoundList } from './not-found-list.tsx';
import { redirects, useNotFound } from './queries.ts';
import { RedirectList } from './redirect-list.tsx';
import classes from './redirects.module.css';

/** Redirects of a website, and the addresses that visitors did not find. */
export function RedirectsScreen() {
  const params: { readonly root?: string } = useParams({ strict: false });
  const search: { readonly tab?: unknown } = useSearch({ strict: false });
  const site = Number(params.root);
  const tab = String(search.tab) === '404' ? 'notFound' : 'redirects';
  const { data: pages } = usePageTree();
  const { data: all } = redirects.useList({ root_id: site });
  const { data: missing } = useNotFound(site);
  const open = missing?.filter(({ ignored }) => !ignored).length;
  return (
    <div className={classes['screen']}>
      <PageHeader title={t('nav.redirects')} scope={pages?.find(({ id }) => id === site)?.title ?? ''} />
      <Tabs
        value={tab}
        keepMounted={false}
        className={classes['tabs'] ?? ''}
        onChange={(value) =>
          goTo(value === 'notFound' ? paths.notFound(site) : paths.redirects(site), { replace: true })
        }
      >
        <TabBar value={tab}>
          <Tabs.Tab value="redirects">{t('redirects.tab', { count: all?.length ?? 0 })}</Tabs.Tab>
          <Tabs.Tab value="notFound">{t('notFound.tab', { count: open ?? 0 })}</Tabs.Tab>
        </TabBar>
        <Tabs.Panel value="redirects" className={classes['panel'] ?? ''}>
          <RedirectList site={site} all={all} />
        </Tabs.Panel>
        <Tabs.Panel value="notFound" className={classes['panel'] ?? ''}>
          <NotFoundList site={site} entries={missing} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
