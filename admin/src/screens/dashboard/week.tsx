import { useQuery } from '@tanstack/react-query';
import { t } from '../../base/i18n/index.ts';
import { changeText, countText } from '../../base/i18n/numbers.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { useCurrentSite } from '../../content/current-site.ts';
import { usePageTree } from '../../content/pages.ts';
import { dayText, lastDays, listDays, periodBefore } from '../../content/period.ts';
import classes from './dashboard.module.css';
import { createVisitsQuery } from './queries.ts';

/** The visitors of the last seven days, of all websites. */
export function Week() {
  const site = useCurrentSite();
  const { data: pages = [] } = usePageTree();
  const period = lastDays(7, dayText(new Date()));
  const { data: now } = useQuery(createVisitsQuery(period));
  const { data: before } = useQuery(createVisitsQuery(periodBefore(period)));
  if (site === undefined || now === undefined || before === undefined) return null;
  const counts = new Map(now.days.map(({ day, visitors }) => [day, visitors]));
  const most = Math.max(1, ...counts.values());
  const change = changeText(now.visitors, before.visitors);
  const hasOthers = pages.some(({ id, parent_id }) => parent_id === null && id !== site);
  return (
    <section className={classes['part']} aria-label={t('dashboard.week')}>
      <h2>{t('dashboard.week')}</h2>
      <Link
        href={paths.statistics(site, `?days=7&compare=1${hasOthers ? '&all=1' : ''}`)}
        className={classes['week']}
      >
        <span>
          <b>{countText(now.visitors)}</b> {t('dashboard.visitors', { count: now.visitors })}
          {change !== undefined && (
            <span className={classes['change']}>{t('dashboard.change', { change })}</span>
          )}
        </span>
        <span className={classes['bars']} aria-hidden="true">
          {listDays(period).map((day) => (
            <span key={day} style={{ height: `${((counts.get(day) ?? 0) / most) * 100}%` }} />
          ))}
        </span>
      </Link>
    </section>
  );
}
