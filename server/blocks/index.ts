import type { Feature, Parts } from '../feature.ts';
import { blockRoutes } from './routes.ts';

/** Block trees, wherever they are stored (Core, "Block tree"). */
export function blocksFeature(parts: Pick<Parts, 'snapshots'>): Feature {
  return { about: { blocks: 'Block types and block trees.' }, routes: blockRoutes(parts) };
}
