import { Eta } from 'eta';
import type { Renderer, Sources } from '../workload.ts';

export function createEtaRenderer(sources: Sources): Renderer {
  const eta = new Eta({ autoEscape: true, cache: true });
  for (const [name, source] of Object.entries(sources)) eta.loadTemplate(`@${name}`, source);
  return (context) => eta.render('@main', context);
}
