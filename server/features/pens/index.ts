import type { Feature, SharedServices } from '../../feature.ts';
import { penRoutes } from './routes.ts';
import { penKind } from './service.ts';

export { penAddresses } from './addresses.ts';

/** Playgrounds of HTML, CSS and JS (Data, Automation and Operations, "Pens"). */
export function pensFeature(parts: Pick<SharedServices, 'reader' | 'pool' | 'clock'>): Feature {
  return { kinds: [penKind], routes: penRoutes(parts) };
}
