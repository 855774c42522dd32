import { useParams, useSearch } from '@tanstack/react-router';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { usePageTree } from '../../content/pages.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { TabPanes } from '../../ui/layout/tab-panes.tsx';
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
      <TabPanes
        value={tab}
        paneClassName={classes['screen']}
        tabs={[
          {
            name: 'redirects',
            label: t('redirects.tab', { count: all?.length ?? 0 }),
            content: <RedirectList site={site} all={all} />,
          },
          {
            name: 'notFound',
            label: t('notFound.tab', { count: open ?? 0 }),
            content: <NotFoundList site={site} entries={missing} />,
          },
        ]}
        onChange={(name) =>
          goTo(name === 'notFound' ? paths.notFound(site) : paths.redirects(site), { replace: true })
        }
      />
    </div>
  );
}
