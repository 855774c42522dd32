import { failureText } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { listDays } from '../../content/period.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { Card } from './card.tsx';
import { DaysTable } from './charts/days-table.tsx';
import { LazyVisitsChart } from './charts/lazy-visits-chart.tsx';
import { visitSeries } from './charts/series.ts';
import { Figure } from './figure.tsx';
import { entriesOfLanding, entriesOfNames } from './lists/entries.ts';
import { RankedList } from './lists/ranked-list.tsx';
import { nameText, seriesLabels } from './model/names.ts';
import { type DetailReport, useDetail } from './model/queries.ts';
import type { ReportScope } from './model/report-scope.ts';
import type { Detail } from './model/view.ts';
import classes from './statistics.module.css';

export interface DetailViewProps {
  readonly shown: ReportScope;
  readonly detail: Detail;
}

/** One page, referrer, country or the like. */
export function DetailView({ shown, detail }: DetailViewProps) {
  const { isCompared } = shown.view;
  const { data: report, error } = useDetail(shown.scope, shown.period, detail);
  const { data: earlier } = useDetail(shown.scope, shown.before, detail, isCompared);
  return (
    <>
      <div className={classes['detailHead']}>
        <Link href={shown.detailPath(undefined)} className={classes['back']}>
          <Icon name="arrow-left" /> {t('statistics.back')}
        </Link>
        <h2>
          <span className="quiet">{t(`statistics.one.${detail.dimension}`)}</span>{' '}
          {nameText(detail.dimension, detail.name)}
        </h2>
        {detail.dimension === 'page' && <EditLink shown={shown} path={detail.name} />}
      </div>
      {error !== null && report === undefined && <Strip tone="brick">{failureText(error)}</Strip>}
      {report !== undefined && (
        <DetailFigures
          shown={shown}
          detail={detail}
          report={report}
          before={isCompared ? earlier : undefined}
        />
      )}
    </>
  );
}

function EditLink({ shown, path }: { readonly shown: ReportScope; readonly path: string }) {
  const page = shown.pageAt(path);
  return page === undefined ? null : (
    <Link href={paths.page(page.root_id, page.id)}>{t('statistics.edit', { title: page.title })}</Link>
  );
}

interface DetailFiguresProps extends DetailViewProps {
  readonly report: DetailReport;
  readonly before: DetailReport | undefined;
}

function DetailFigures({ shown, detail, report, before }: DetailFiguresProps) {
  const days = listDays(shown.period);
  const series = visitSeries(shown, report, before, seriesLabels(report.views !== undefined));
  return (
    <>
      <dl className={classes['figures']}>
        <Figure name={t('statistics.visitorsSum')} count={report.visitors} before={before?.visitors} />
        {report.views !== undefined && (
          <Figure name={t('statistics.views')} count={report.views} before={before?.views} />
        )}
      </dl>
      <Card title={t('statistics.byDay')}>
        <LazyVisitsChart label={t('statistics.byDay')} days={days} series={series} />
        <DaysTable days={days} series={series} />
      </Card>
      {detail.dimension === 'page' && (
        <Card title={t('statistics.dimensions.referrer')} unit={t('statistics.visitors')}>
          <RankedList
            unit={t('statistics.visitors')}
            entries={entriesOfNames(shown, 'referrer', report.referrers, before?.referrers)}
          />
        </Card>
      )}
      {detail.dimension === 'referrer' && (
        <Card title={t('statistics.landedOn')} unit={t('statistics.visitors')}>
          <RankedList
            unit={t('statistics.visitors')}
            entries={entriesOfLanding(shown, report.pages, before?.pages)}
          />
        </Card>
      )}
    </>
  );
}
