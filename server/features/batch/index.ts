import type { Feature, SharedServices } from '../../feature.ts';
import { batchRoutes } from './routes.ts';

/** Batches of changes (Data, Automation and Operations, "Batch"). */
export function batchFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'clock' | 'registry'>,
): Feature {
  return {
    about: { batch: 'Several changes in one request.' },
    routes: batchRoutes(parts, parts.registry.byName),
  };
}
