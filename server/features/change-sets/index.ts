import type { StartTimer } from '../../base/timers.ts';
import type { FindSetPreview } from '../../delivery/set-previews.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { CachedOverlays, type OverlaidReadsDeps } from './cached-overlays.ts';
import { copyRoutes, listCopyPaths } from './copy-routes.ts';
import { closeUnreadableSets } from './decide-items.ts';
import { setPreviewRoutes } from './preview-links/routes.ts';
import { findSetPreviewWith, type SetLinkDeps } from './preview-links/service.ts';
import { revertRoutes } from './revert/routes.ts';
import { changeSetRoutes } from './routes.ts';
import { type ScheduleDeps, ScheduledPublications } from './scheduled-publications.ts';

export interface ChangeSetsFeature extends Feature {
  readonly findSetPreview: FindSetPreview;
}

/** Change sets: changes that are prepared and kept instead of made. */
export async function changeSetsFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'version' | 'registry' | 'clock' | 'log' | 'isLeader'> &
    Pick<OverlaidReadsDeps, 'staging'> &
    Pick<ScheduleDeps, 'findRights'> &
    SetLinkDeps,
  later?: StartTimer,
): Promise<ChangeSetsFeature> {
  const kinds = parts.registry.byName;
  const scheduled = new ScheduledPublications({ ...parts, kinds, later });
  await scheduled.refresh();
  const overlaidReads = new CachedOverlays({ ...parts, kinds });
  return {
    about: { 'change-sets': 'Changes that are prepared and published together.' },
    routes: closeUnreadableSets(
      parts.reader,
      [changeSetRoutes, copyRoutes, revertRoutes, setPreviewRoutes].flatMap((create) =>
        create({ ...parts, kinds }),
      ),
    ),
    findSetPreview: findSetPreviewWith({ ...parts, kinds, overlaidReads }),
    followers: [scheduled],
    overlaidReads,
    // Anonymous callers do not learn which change sets there are.
    publicObjects: ['/change-sets', ...listCopyPaths(kinds)].map((path) => ({
      path,
      isPublic: async () => false,
    })),
    async close() {
      await scheduled.close();
      overlaidReads.close();
    },
  };
}
