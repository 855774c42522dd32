import type { Feature, SharedServices } from '../../feature.ts';
import { batchRoutes } from './routes.ts';
import type { CollectOperations } from './service.ts';

/**
 * Batches of changes (Data, Automation and Operations, "Batch").
 *
 * @param collect puts operations into a change set
 */
export function batchFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'clock' | 'registry'>,
  collect: CollectOperations,
): Feature {
  return {
    about: { batch: 'Several changes in one request.' },
    routes: batchRoutes({ ...parts, collect }, parts.registry.byName),
  };
}
