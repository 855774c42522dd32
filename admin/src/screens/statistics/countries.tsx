import { lazy, Suspense } from 'react';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { entriesOfNames } from './lists/entries.ts';
import { RankedList } from './lists/ranked-list.tsx';
import type { Statistics } from './model/queries.ts';
import type { ReportScope } from './model/report-scope.ts';
import classes from './statistics.module.css';

const WorldMap = lazy(async () => ({ default: (await import('./charts/world-map.tsx')).WorldMap }));

type Values = Statistics['dims']['country'];

export interface CountriesProps {
  readonly shown: ReportScope;
  readonly countries: Values;
  readonly before: Values | undefined;
}

/** Countries as a map, and as a list that has all of them. */
export function Countries({ shown, countries, before }: CountriesProps) {
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
