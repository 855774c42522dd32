import type { Kind } from '../../content/kinds/kind.ts';
import type { Feature, Parts } from '../../feature.ts';
import { revisionRoutes } from './routes.ts';
import { revisedKinds } from './service.ts';

/**
 * Earlier states of objects (Core, "Version history").
 *
 * @param kinds all kinds; only those that declare revisions are used
 */
export function revisionsFeature(parts: Parts, kinds: readonly Kind[]): Feature {
  return {
    about: { revisions: 'Earlier states of objects.' },
    routes: revisionRoutes(parts, revisedKinds(kinds)),
  };
}
