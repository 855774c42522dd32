import { useQueries, useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/session/rights.ts';
import { findText, t, timeText } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { paths } from '../../base/router/paths.ts';
import { collections } from '../../content/collections.ts';
import { failingPagesQuery } from '../../content/failing-pages.ts';
import { usePageTree } from '../../content/pages.ts';
import { isRelease } from '../../content/releases/releases.ts';
import { droppedQuery } from '../../content/trash.ts';
import { NoRows, Part, Row } from './part.tsx';
import { failedRuns, failedSets, failedWebhooks, missingAddresses, newEntries } from './queries.ts';

/** Addresses of a website that are named. */
const namedAddresses = 3;
/** Failing pages of a website that are named. */
const namedPages = 5;

/** What waits for somebody: failing pages, dead addresses, what visitors have sent, what has failed. */
export function Attention() {
  const { data: pages = [] } = usePageTree();
  const sites = pages.filter(({ parent_id }) => parent_id === null);
  const missing = useQueries({ queries: sites.map(({ id }) => missingAddresses(id)) });
  const failing = useQueries({ queries: sites.map(({ id }) => failingPagesQuery(id)) });
  const { data: known } = collections.useList();
  const live = known?.filter((collection) => collection.live) ?? [];
  const sent = useQueries({ queries: live.map(newEntries) });
  const runs = useQuery(failedRuns);
  const may = useRights();
  const webhooks = useQuery({ ...failedWebhooks, enabled: may([{ action: 'settings' }]) });
  const sets = useQuery({ ...failedSets, enabled: may([{ action: 'edit' }]) });
  const trash = useQuery(droppedQuery);
  const dropped = trash.data ?? undefined;
  const ofSites = sites.flatMap((site, index) => {
    const open = missing[index]?.data ?? [];
    return open.length === 0 ? [] : [{ site, open }];
  });
  const broken = sites.flatMap((site, index) => {
    const pages = failing[index]?.data ?? [];
    return pages.length === 0 ? [] : [{ site, pages }];
  });
  const ofCollections = live.flatMap((collection, index) => {
    const [newest, ...others] = sent[index]?.data ?? [];
    return newest === undefined ? [] : [{ collection, newest, count: others.length + 1 }];
  });
  const isLoading = [...failing, ...missing, ...sent, runs, webhooks, sets, trash].some(
    (query) => query.isLoading,
  );
  const failures = [runs, webhooks, sets].reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  const failed = ofCollections.length + failures + (dropped ? 1 : 0);
  return (
    <Part title={t('dashboard.attention')}>
      {broken.length + ofSites.length + failed === 0 && (
        <NoRows>{isLoading ? '\u00a0' : t('dashboard.allWell')}</NoRows>
      )}
      {broken.flatMap(({ site, pages }) =>
        pages
          .slice(0, namedPages)
          .map(({ path, page_id, error, change }) => (
            <Row
              key={`failing ${site.id} ${path}`}
              href={paths.page(site.id, page_id)}
              icon="warning-circle"
              title={t('failing.page', { path })}
              detail={[
                ...(sites.length > 1 ? [site.title] : []),
                error,
                ...(change === null ? [] : [t('failing.by', { title: change.title, by: change.by })]),
              ].join(' · ')}
            />
          )),
      )}
      {broken.map(
        ({ site, pages }) =>
          pages.length > namedPages && (
            <Row
              key={`more failing ${site.id}`}
              href={paths.pages(site.id)}
              icon="warning-circle"
              title={t('failing.more', { count: pages.length - namedPages })}
              detail={sites.length > 1 ? site.title : ''}
            />
          ),
      )}
      {ofSites.map(({ site, open }) => (
        <Row
          key={site.id}
          href={paths.notFound(site.id)}
          icon="link-break"
          title={t('dashboard.notFound', { count: open.length })}
          detail={[
            ...(sites.length > 1 ? [site.title] : []),
            ...open.slice(0, namedAddresses).map(({ path, hits }) => `${path} ${hits}×`),
          ].join(' · ')}
        />
      ))}
      {ofCollections.map(({ collection: { id, slug, name }, newest, count }) => (
        <Row
          key={`entries ${id}`}
          href={paths.collection(slug)}
          icon="table"
          title={t('dashboard.newEntries', { count, name })}
          detail={timeText(newest.created_at)}
        />
      ))}
      {runs.data?.map(({ id, name, last_run_at }) => (
        <Row
          key={`run ${id}`}
          href={paths.workflow(id, 'runs')}
          icon="flow-arrow"
          title={t('dashboard.runFailed', { name })}
          detail={timeText(last_run_at / 1000)}
        />
      ))}
      {webhooks.data?.map(({ id, name, at, status }) => (
        <Row
          key={`webhook ${id}`}
          href={paths.webhook(id)}
          icon="webhooks-logo"
          title={t('dashboard.deliveryFailed', { name })}
          detail={[timeText(at), ...(status > 0 ? [status] : [])].join(' · ')}
        />
      ))}
      {sets.data?.map(({ id, name, purpose, state, failure, publish_at, updated_at }) => (
        <Row
          key={`set ${id}`}
          href={isRelease({ purpose, state }) ? paths.release(id) : paths.releases()}
          icon="warning-circle"
          title={t('dashboard.setFailed', { name })}
          detail={[
            timeText(publish_at ?? updated_at),
            ...(failure === null
              ? []
              : [findText(`errors.${failure.code}`, failure.params) ?? failure.error]),
          ].join(' · ')}
        />
      ))}
      {dropped !== undefined && (
        <Row
          href={paths.trash()}
          icon="trash"
          title={t('dashboard.trashFull', { count: dropped.count })}
          detail={`${sizeText(dropped.bytes)} · ${timeText(dropped.at)}`}
        />
      )}
    </Part>
  );
}
