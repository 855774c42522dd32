import { Edge } from 'edge.js';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

export function openEdge(sources: Sources): TemplateSet {
  const edge = Edge.create({ cache: true });
  for (const name of Object.keys(sources)) edge.registerTemplate(name, { template: sourceOf(sources, name) });
  return (name) => (context) => edge.renderSync(name, context);
}
