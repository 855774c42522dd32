import { useQuery } from '@tanstack/react-query';
import { t, timeText } from '../../base/i18n/index.ts';
import { changeText, countText } from '../../base/i18n/numbers.ts';
import { Link } from '../../base/router/link.tsx';
import { objectPaths } from '../../base/router/object-paths.ts';
import { paths } from '../../base/router/paths.ts';
import { useCurrentSite } from '../../content/current-site.ts';
import { useDraftIds } from '../../content/draft-names.ts';
import { type PageTreeEntry, usePageTree } from '../../content/pages.ts';
import { dayText, lastDays, listDays, periodBefore } from '../../content/period.ts';
import type { IconName } from '../../ui/icons/icons.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { StatusMark } from '../../ui/messages/status-mark.tsx';
import { Attention } from './attention.tsx';
import classes from './dashboard.module.css';
import { NoRows, Part, Row } from './part.tsx';
import { createVisitsQuery, recentChanges } from './queries.ts';

/** The first screen: what needs attention, what to go on with, who came, what others did. */
export function DashboardScreen() {
  return (
    <div className={classes['screen']}>
      <PageHeader title={t('nav.dashboard')} scope={t('frame.allSites')} />
      <div className={classes['parts']}>
        <div>
          <Attention />
          <Week />
        </div>
        <div>
          <GoOn />
          <Drafts />
        </div>
        <RecentChanges />
      </div>
    </div>
  );
}

/** Most rows of a part. */
const maxRows = 6;

/** Pages with unsaved changes in this browser, then those that were changed last. */
function GoOn() {
  const { data: pages = [] } = usePageTree();
  const unsaved = useDraftIds('page');
  const order = (page: PageTreeEntry) => (unsaved.has(page.id) ? Number.MAX_SAFE_INTEGER : page.updated_at);
  const shown = pages.toSorted((left, right) => order(right) - order(left)).slice(0, maxRows);
  return (
    <Part title={t('dashboard.goOn')}>
      {shown.map((page) => (
        <PageRow
          key={page.id}
          page={page}
          mark={<StatusMark status={unsaved.has(page.id) ? 'unsaved' : page.published ? 'live' : 'draft'} />}
        />
      ))}
    </Part>
  );
}

/** Pages that no visitor sees yet, those that were changed last first. */
function Drafts() {
  const { data: pages = [] } = usePageTree();
  const drafts = pages.filter(({ published }) => !published);
  if (drafts.length === 0) return null;
  const shown = drafts.toSorted((left, right) => right.updated_at - left.updated_at).slice(0, maxRows);
  return (
    <Part title={t('dashboard.drafts', { count: drafts.length })}>
      {shown.map((page) => (
        <PageRow key={page.id} page={page} />
      ))}
    </Part>
  );
}

function PageRow({ page, mark }: { readonly page: PageTreeEntry; readonly mark?: React.ReactNode }) {
  return (
    <Row
      href={paths.page(page.root_id, page.id)}
      icon="file-text"
      title={page.title}
      detail={`${page.path} · ${timeText(page.updated_at)}`}
      mark={mark}
    />
  );
}

const icons: Readonly<Record<string, IconName>> = {
  page: 'file-text',
  snippet: 'puzzle-piece',
  asset: 'code',
  collection: 'table',
  item: 'table',
  file: 'image',
  global_block: 'stack',
  source: 'plugs-connected',
  workflow: 'flow-arrow',
  redirect: 'path',
  pen: 'flask',
};

/** What was done last, by whom. */
function RecentChanges() {
  const { data } = useQuery(recentChanges);
  const { data: pages = [] } = usePageTree();
  if (data === undefined) return null;
  const siteOf = (page: number) => pages.find(({ id }) => id === page)?.root_id;
  return (
    <Part title={t('dashboard.recent')}>
      {data.length === 0 && <NoRows>{t('dashboard.noChanges')}</NoRows>}
      {data.map((change) => (
        <Row
          key={`${change.version} ${change.kind} ${change.id}`}
          href={change.action === 'deleted' ? undefined : objectPaths(change, siteOf)?.object}
          icon={icons[change.kind] ?? 'clock'}
          title={change.name ?? ''}
          detail={`${t(`dashboard.actions.${change.action}`)} · ${change.actor} · ${timeText(change.at)}`}
        />
      ))}
      {data.length > 0 && (
        <Row href={paths.system('audit')} icon="clock" title={t('dashboard.allChanges')} detail="" />
      )}
    </Part>
  );
}

/** The visitors of the last seven days, of all websites. */
function Week() {
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
