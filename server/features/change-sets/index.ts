import type { Feature, SharedServices } from '../../feature.ts';
import { changeSetRoutes } from './routes.ts';

/** Change sets: changes that are prepared and kept instead of made. */
export function changeSetsFeature(parts: Pick<SharedServices, 'reader' | 'changes' | 'registry'>): Feature {
  return {
    about: { 'change-sets': 'Changes that are prepared and published together.' },
    routes: changeSetRoutes({ ...parts, kinds: parts.registry.byName }),
    // Anonymous callers do not learn which change sets there are.
    publicObjects: [{ path: '/change-sets', isPublic: async () => false }],
  };
}
