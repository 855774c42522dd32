import type { Feature, SharedServices } from '../../feature.ts';
import { markdownRoute } from './routes.ts';

/** Markdown as HTML, for editors that show it while somebody writes. */
export function markdownFeature(parts: Pick<SharedServices, 'pool'>): Feature {
  return { about: { markdown: 'Markdown as HTML.' }, routes: [markdownRoute(parts)] };
}
