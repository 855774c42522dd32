import type { Language, Sources, TemplateSet } from '../workload.ts';
import { openEdge } from './edge.ts';
import { openEjs } from './ejs.ts';
import { openEta } from './eta.ts';
import { openHandlebars } from './handlebars.ts';
import { openIncipit } from './incipit.ts';
import { openLiquid } from './liquidjs.ts';
import { openNunjucks } from './nunjucks.ts';
import { openPug } from './pug.ts';

/** A fresh engine of each language that knows the given sources, with escaping on. */
export const openTemplates: Readonly<Record<Language, (sources: Sources) => TemplateSet>> = {
  incipit: openIncipit,
  nunjucks: openNunjucks,
  liquidjs: openLiquid,
  eta: openEta,
  ejs: openEjs,
  handlebars: openHandlebars,
  edge: openEdge,
  pug: openPug,
};
