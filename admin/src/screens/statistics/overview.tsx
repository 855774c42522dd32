import { lazy, Suspense } from 'react';
import { failureText } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { listDays } from '../../content/period.ts';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { Strip } from '../../ui/messages/strip.tsx';
import { Card } from './card.tsx';
import { DaysTable } from './charts/days-table.tsx';
import { LazyVisitsChart } from './charts/lazy-visits-chart.tsx';
import { visitSeries } from './charts/series.ts';
import { Figure } from './figure.tsx';
import { entriesOfFiles, entriesOfNames, entriesOfPages } from './lists/entries.ts';
import { RankedList } from './lists/ranked-list.tsx';
import { dateText, seriesLabels } from './model/names.ts';
import { type Statistics, useReport } from './model/queries.ts';
import type { ReportScope } from './model/report-scope.ts';
import classes from './statistics.module.css';

/** All visits of the period. */
export function Overview({ shown }: { readonly shown: ReportScope }) {
  const { isCompared } = shown.view;
  const { data: report, error } = useReport(shown.scope, shown.period);
  const { data: earlier } = useReport(shown.scope, shown.before, isCompared);
  if (report === undefined) return error === null ? null : <Strip tone="brick">{failureText(error)}</Strip>;
  if (!report.has_data) return <EmptyState>{t('statistics.none')}</EmptyState>;
  const parts = { shown, report, before: isCompared ? earlier : undefined };
  return (
    <>
      <Totals {...parts} />
      <ByDay {...parts} />
      <Lists {...parts} />
      <CountriesCard {...parts} />
    </>
  );
}

interface PartProps {
  readonly shown: ReportScope;
  readonly report: Statistics;
  /** Undefined where nothing is compared. */
  readonly before: Statistics | undefined;
}

function Totals({ report, before }: PartProps) {
  const { views, visitors, downloads_total, first_day, last_day } = report;
  return (
    <>
      {views === 0 && downloads_total === 0 && (
        <p className="quiet line">
          {t('statistics.otherDays', { from: dateText(first_day), to: dateText(last_day) })}
        </p>
      )}
      <dl className={classes['figures']}>
        <Figure name={t('statistics.visitorsSum')} count={visitors} before={before?.visitors} />
        <Figure name={t('statistics.views')} count={views} before={before?.views} />
        <Figure name={t('statistics.downloads')} count={downloads_total} before={before?.downloads_total} />
      </dl>
    </>
  );
}

function ByDay({ shown, report, before }: PartProps) {
  const days = listDays(shown.period);
  const series = visitSeries(shown, report, before, seriesLabels(true));
  return (
    <Card title={t('statistics.byDay')}>
      <LazyVisitsChart label={t('statistics.byDay')} days={days} series={series} />
      <DaysTable days={days} series={series} />
    </Card>
  );
}

function Lists({ shown, report, before }: PartProps) {
  const unit = t('statistics.visitors');
  return (
    <div className={classes['cards']}>
      <Card title={t('statistics.pages')} unit={t('statistics.views')}>
        <RankedList
          unit={t('statistics.views')}
          entries={entriesOfPages(shown, report.pages, before?.pages)}
        />
      </Card>
      {(['referrer', 'browser', 'os', 'device'] as const).map((dimension) => (
        <Card key={dimension} title={t(`statistics.dimensions.${dimension}`)} unit={unit}>
          <RankedList
            unit={unit}
            entries={entriesOfNames(shown, dimension, report.dims[dimension], before?.dims[dimension])}
          />
        </Card>
      ))}
      <Card title={t('statistics.downloads')}>
        <RankedList
          unit={t('statistics.downloads')}
          entries={entriesOfFiles(shown, report.downloads, before?.downloads)}
        />
      </Card>
    </div>
  );
}

function CountriesCard({ shown, report, before }: PartProps) {
  const { country } = report.dims;
  return (
    <Card title={t('statistics.dimensions.country')} unit={t('statistics.visitors')}>
      {country.length === 0 ? (
        <p className="quiet line">
          {t('statistics.noCountries')} <Link href={paths.system('countries')}>{t('system.countries')}</Link>
        </p>
      ) : (
        <Countries shown={shown} countries={country} before={before?.dims.country} />
      )}
    </Card>
  );
}

const WorldMap = lazy(async () => ({ default: (await import('./charts/world-map.tsx')).WorldMap }));

type Values = Statistics['dims']['country'];

interface CountriesProps {
  readonly shown: ReportScope;
  readonly countries: Values;
  readonly before: Values | undefined;
}

/** Countries as a map, and as a list that has all of them. */
function Countries({ shown, countries, before }: CountriesProps) {
  return (
    <div className={classes['countries']}>
      <div className={classes['mapPlace']}>
        <Suspense>
          <WorldMap
            visitors={new Map(countries.map(({ name, visitors }) => [name, visitors]))}
            onChoose={(name) => goTo(shown.detailPath({ dimension: 'country', name }))}
          />
        </Suspense>
      </div>
      <div>
        <RankedList
          unit={t('statistics.visitors')}
          entries={entriesOfNames(shown, 'country', countries, before)}
        />
      </div>
    </div>
  );
}
