import { join } from 'node:path';
import { reactToDeleted } from '../../changes/followers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { CounterThread } from './counting/thread-client.ts';
import { countryRoutes } from './countries/routes.ts';
import { Countries, type CountriesDeps } from './countries/service.ts';
import { statisticsRoutes } from './routes.ts';
import { Statistics, type StatisticsDeps } from './service.ts';

interface StatisticsOptions extends Pick<StatisticsDeps, 'auth'>, Pick<CountriesDeps, 'staging'> {
  /** Path of the code of the thread that counts. */
  readonly threadFile: string;
}

/** Visitor statistics without cookies (Data, Automation and Operations, "Statistics and country data"). */
export async function statisticsFeature(parts: SharedServices, options: StatisticsOptions): Promise<Feature> {
  const { config, log } = parts;
  const saltFile = join(config.dataDir, 'statistics.salt');
  const { file: databaseFile, shared } = parts.statistics;
  const thread = new CounterThread(options.threadFile, { databaseFile, saltFile, shared }, (news) => {
    if (news.kind === 'log') log[news.level](news.fields, news.message);
    else countries.listsChanged().catch((error: unknown) => log.warn({ err: error }, 'country lists'));
  });
  const countries = await Countries.open({
    ...parts,
    activity: parts.statistics,
    thread,
    staging: options.staging,
  });
  const hasCountries = () => countries.areKnown;
  const statistics = new Statistics({ ...parts, auth: options.auth, thread, saltFile, hasCountries });
  if (config.countrySync) countries.start();
  if (shared !== undefined) thread.start();
  return {
    about: { stats: 'What visitors read.', geo: 'The data that tells the countries of visitors.' },
    routes: [...statisticsRoutes(statistics), ...countryRoutes(countries)],
    visits: { downloaded: (download) => statistics.download(download) },
    followers: [
      { of: ['settings'], refresh: () => countries.reload() },
      reactToDeleted(['page'], (page) => statistics.dropSite(page)),
    ],
    async close() {
      await countries.close();
      await statistics.close();
    },
  };
}
