import type { Kind } from '../../content/kinds/kind.ts';
import type { Feature, Parts } from '../../feature.ts';
import { batchRoutes } from './routes.ts';

/** Batches of changes (Data, Automation and Operations, "Batch"). @param kinds all kinds by name */
export function batchFeature(
  parts: Pick<Parts, 'reader' | 'changes' | 'clock'>,
  kinds: ReadonlyMap<string, Kind>,
): Feature {
  return { about: { batch: 'Several changes in one request.' }, routes: batchRoutes(parts, kinds) };
}
