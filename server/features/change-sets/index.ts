import type { StartTimer } from '../../base/timers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { copyRoutes, listCopyPaths } from './copy-routes.ts';
import { createOverlaidReads, type OverlaidReadsDeps } from './overlaid-reads.ts';
import { revertRoutes } from './revert/routes.ts';
import { changeSetRoutes } from './routes.ts';
import { type ScheduleDeps, ScheduledPublications } from './scheduled-publications.ts';

/** Change sets: changes that are prepared and kept instead of made. */
export async function changeSetsFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'version' | 'registry' | 'clock' | 'log' | 'isLeader'> &
    Pick<OverlaidReadsDeps, 'staging'> &
    Pick<ScheduleDeps, 'findRights'>,
  later?: StartTimer,
): Promise<Feature> {
  const kinds = parts.registry.byName;
  const scheduled = new ScheduledPublications({ ...parts, kinds, later });
  await scheduled.refresh();
  return {
    about: { 'change-sets': 'Changes that are prepared and published together.' },
    routes: [changeSetRoutes, copyRoutes, revertRoutes].flatMap((create) => create({ ...parts, kinds })),
    followers: [scheduled],
    overlaidReads: createOverlaidReads({ ...parts, kinds }),
    // Anonymous callers do not learn which change sets there are.
    publicObjects: ['/change-sets', ...listCopyPaths(kinds)].map((path) => ({
      path,
      isPublic: async () => false,
    })),
    close: () => scheduled.close(),
  };
}
