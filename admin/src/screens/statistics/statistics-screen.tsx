import { useParams, useSearch } from '@tanstack/react-router';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { type Command, createDeletion } from '../../commands/command.ts';
import { CommandMenu } from '../../commands/command-button.tsx';
import { usePageTree } from '../../content/pages.ts';
import { dayText } from '../../content/period.ts';
import { confirmDeletion } from '../../kit/delete/confirm-deletion.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { DetailView } from './detail-view.tsx';
import { deleteStatistics, exportAddress, useLive } from './model/queries.ts';
import { ReportScope } from './model/report-scope.ts';
import { computePeriod, formatViewQuery, parseView, type View } from './model/view.ts';
import { Overview } from './overview.tsx';
import { RangeBar } from './range-bar.tsx';
import classes from './statistics.module.css';

/** What visitors of a website read, over time, and where they came from. */
export function StatisticsScreen() {
  const params: { readonly root?: string } = useParams({ strict: false });
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { data: pages } = usePageTree();
  const site = Number(params.root);
  const view = parseView(search);
  const shown = new ReportScope(site, view, computePeriod(view, dayText(new Date())), pages ?? []);
  const scope = view.isAll ? t('frame.allSites') : shown.siteTitle;
  const change = (changes: Partial<View>) =>
    goTo(paths.statistics(site, formatViewQuery({ ...view, ...changes })), { replace: true });
  return (
    <div className="fill surface">
      <PageHeader
        title={t('nav.statistics')}
        scope={scope}
        actions={<CommandMenu label={t('page.more')} commands={moreCommands(shown, scope)} />}
      />
      <div className={classes['body']}>
        <RangeBar view={view} shown={shown} onChange={change} />
        <LiveStrip key={shown.scope} shown={shown} />
        {view.detail === undefined ? (
          <Overview shown={shown} />
        ) : (
          <DetailView shown={shown} detail={view.detail} />
        )}
      </div>
    </div>
  );
}

function moreCommands(shown: ReportScope, name: string): readonly Command[] {
  return [
    {
      id: 'statistics.export',
      label: 'statistics.export',
      icon: 'download-simple',
      run: () => location.assign(exportAddress(shown.scope, shown.period)),
    },
    createDeletion('statistics.delete', 'statistics.delete', () =>
      confirmDeletion({ texts: 'statistics', names: { name }, run: () => deleteStatistics(shown.scope) }),
    ),
  ];
}

/** Pages that are named. */
const maxPages = 5;

/** What is being read at the moment. */
function LiveStrip({ shown }: { readonly shown: ReportScope }) {
  const live = useLive(shown.scope);
  const pages = live?.pages.slice(0, maxPages) ?? [];
  return (
    <section className={classes['live']} aria-label={t('statistics.live')}>
      <span
        className={classes['pulse']}
        data-on={(live?.visitors ?? 0) > 0 || undefined}
        aria-hidden="true"
      />
      <b className="tabular">
        {live === undefined
          ? t('statistics.liveWaits')
          : t('statistics.liveVisitors', { count: live.visitors })}
      </b>
      {live !== undefined && (
        <span className="meta tabular">{t('statistics.liveViews', { count: live.views })}</span>
      )}
      {pages.map(({ root_id, name, views }) => (
        <span key={`${root_id} ${name}`} className="tabular">
          <Link href={shown.detailPath({ dimension: 'page', name }, root_id)}>{name}</Link>{' '}
          <span className="meta">{views}</span>
        </span>
      ))}
    </section>
  );
}
