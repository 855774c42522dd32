import type { Feature, Parts } from '../feature.ts';
import { snippetRoutes } from './routes.ts';
import { snippetKind } from './service.ts';

/** Templates that pages and other snippets use (Core, "Snippets and page layouts"). */
export function snippetsFeature(parts: Pick<Parts, 'reader' | 'templates'>): Feature {
  return { kinds: [snippetKind(parts.templates)], routes: snippetRoutes(parts) };
}
