import { Edge } from 'edge.js';
import { type Renderer, type Sources, sourceOf } from '../workload.ts';

export function createEdgeRenderer(sources: Sources): Renderer {
  const edge = Edge.create({ cache: true });
  for (const name of Object.keys(sources)) edge.registerTemplate(name, { template: sourceOf(sources, name) });
  return (context) => edge.renderSync('main', context);
}
