import { reactToDeleted } from '../../changes/followers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { NotFoundLog } from '../notfound/service.ts';
import { RedirectHits } from './hits.ts';
import { redirectRoutes } from './routes.ts';
import { redirectKind } from './service.ts';

/** Redirects from old addresses to new ones, and their uses (Core, "Redirects and 404 log"). */
export function redirectsFeature(parts: SharedServices, notFound: NotFoundLog): Feature {
  const hits = new RedirectHits(parts);
  return {
    kinds: [redirectKind(hits)],
    routes: redirectRoutes(parts, hits, notFound),
    visits: { redirected: (siteId, redirectId) => hits.count(siteId, redirectId) },
    followers: [
      reactToDeleted(['redirect'], ({ id, isKept }) => {
        if (isKept !== true) hits.dropRedirect(id);
      }),
      reactToDeleted(['page'], ({ id, isKept }) => {
        if (isKept !== true) hits.dropSite(id);
      }),
    ],
    close: () => hits.close(),
  };
}
