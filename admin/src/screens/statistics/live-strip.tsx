import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { useLive } from './model/queries.ts';
import type { ReportScope } from './model/report-scope.ts';
import classes from './statistics.module.css';

/** Pages that are named. */
const maxPages = 5;

/** What is being read at the moment. */
export function LiveStrip({ shown }: { readonly shown: ReportScope }) {
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
