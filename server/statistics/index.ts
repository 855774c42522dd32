import type { Feature } from '../feature.ts';
import type { PublicHandler } from '../http/public.ts';
import type { ReservedName } from '../sites/reserved-paths.ts';
import { countDownloads } from './downloads.ts';
import { statisticsRoutes } from './routes.ts';
import { Statistics, type StatisticsDeps } from './service.ts';

export interface StatisticsFeature extends Feature {
  /** The same handlers; that of files notes downloads. */
  withDownloads(
    addresses: ReadonlyMap<ReservedName, PublicHandler>,
  ): ReadonlyMap<ReservedName, PublicHandler>;
}

/** Visitor statistics without cookies (Data, Automation and Operations, "Statistics and country data"). */
export function statisticsFeature(deps: Omit<StatisticsDeps, 'hasCountries'>): StatisticsFeature {
  const statistics = new Statistics({ ...deps, hasCountries: () => false });
  return {
    about: { stats: 'What visitors read.' },
    routes: statisticsRoutes(statistics),
    withDownloads(addresses) {
      const files = addresses.get('media');
      if (files === undefined) return addresses;
      return new Map(addresses).set(
        'media',
        countDownloads(files, (visit) => statistics.download(visit)),
      );
    },
    onCommit: (commits) => statistics.follow(commits),
    close: () => statistics.close(),
  };
}
