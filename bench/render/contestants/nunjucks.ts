import { Environment } from 'nunjucks';
import { type Renderer, type Sources, sourceOf } from '../workload.ts';

export function createNunjucksRenderer(sources: Sources): Renderer {
  const loader = {
    getSource: (name: string) => ({ src: sourceOf(sources, name), path: name, noCache: false }),
  };
  const environment = new Environment(loader, { autoescape: true });
  const template = environment.getTemplate('main', true);
  return (context) => template.render(context);
}
