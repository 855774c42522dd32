import type { Feature, SharedServices } from '../../feature.ts';
import { globalBlockRoutes } from './routes.ts';
import { globalBlockKind } from './service.ts';

/** Block trees that other trees insert (Core, "Global blocks"). */
export function globalBlocksFeature(parts: Pick<SharedServices, 'snapshots'>): Feature {
  return { kinds: [globalBlockKind], routes: globalBlockRoutes(parts) };
}
