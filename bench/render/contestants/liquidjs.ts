import { Liquid } from 'liquidjs';
import type { Renderer, Sources } from '../workload.ts';

export function createLiquidRenderer(sources: Sources): Renderer {
  const liquid = new Liquid({ templates: { ...sources }, outputEscape: 'escape', cache: true });
  const template = liquid.parse(sources.main);
  return (context) => String(liquid.renderSync(template, context));
}
