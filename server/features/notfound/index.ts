import { reactToDeleted } from '../../changes/followers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { notFoundRoutes } from './routes.ts';
import { NotFoundLog } from './service.ts';

/** Dead addresses that visitors ask for (Core, "Redirects and 404 log"). */
export interface NotFoundFeature extends Feature {
  readonly notFound: NotFoundLog;
}

export function notFoundFeature(parts: SharedServices): NotFoundFeature {
  const notFound = new NotFoundLog(parts);
  return {
    about: { notfound: 'Dead addresses that visitors asked for.' },
    routes: notFoundRoutes(notFound),
    notFound,
    visits: { missed: (siteId, path, referer) => notFound.count(siteId, path, referer) },
    followers: [
      { of: ['redirect'], react: (commits) => notFound.dropAnswered(commits) },
      reactToDeleted(['page'], ({ id }) => notFound.dropSite(id)),
    ],
    close: () => notFound.close(),
  };
}
