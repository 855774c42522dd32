import type { Language, Renderer, Sources } from '../workload.ts';
import { createEdgeRenderer } from './edge.ts';
import { createEjsRenderer } from './ejs.ts';
import { createEtaRenderer } from './eta.ts';
import { createHandlebarsRenderer } from './handlebars.ts';
import { createIncipitRenderer } from './incipit.ts';
import { createLiquidRenderer } from './liquidjs.ts';
import { createNunjucksRenderer } from './nunjucks.ts';
import { createPugRenderer } from './pug.ts';

/** A fresh engine of each language that knows the given sources, with escaping on. */
export const createRenderer: Readonly<Record<Language, (sources: Sources) => Renderer>> = {
  incipit: createIncipitRenderer,
  nunjucks: createNunjucksRenderer,
  liquidjs: createLiquidRenderer,
  eta: createEtaRenderer,
  ejs: createEjsRenderer,
  handlebars: createHandlebarsRenderer,
  edge: createEdgeRenderer,
  pug: createPugRenderer,
};
