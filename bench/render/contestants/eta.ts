import { Eta } from 'eta';
import type { Sources, TemplateSet } from '../workload.ts';

export function openEta(sources: Sources): TemplateSet {
  const eta = new Eta({ autoEscape: true, cache: true });
  for (const [name, source] of Object.entries(sources)) eta.loadTemplate(`@${name}`, source);
  return (name) => (context) => eta.render(`@${name}`, context);
}
