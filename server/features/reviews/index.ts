import type { Feature } from '../../feature.ts';
import { type ReviewRouteDeps, reviewRoutes } from './routes.ts';

/** Reviews of change sets, and comments about what they do. */
export function reviewsFeature(deps: ReviewRouteDeps): Feature {
  return { routes: reviewRoutes(deps) };
}
