import type { Feature, SharedServices } from '../../feature.ts';
import { revisionRoutes } from './routes.ts';
import { revisedKinds } from './service.ts';

/** Earlier states of objects of the kinds that declare revisions (Core, "Version history"). */
export function revisionsFeature(parts: SharedServices): Feature {
  return {
    about: { revisions: 'Earlier states of objects.' },
    routes: revisionRoutes(parts, revisedKinds([...parts.registry.byName.values()])),
  };
}
