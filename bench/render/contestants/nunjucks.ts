import { Environment } from 'nunjucks';
import { type Engine, type Sources, sourceOf } from '../workload.ts';

export function openNunjucks(sources: Sources): Engine {
  const loader = {
    getSource: (name: string) => ({ src: sourceOf(sources, name), path: name, noCache: false }),
  };
  const environment = new Environment(loader, { autoescape: true });
  return (name) => {
    const template = environment.getTemplate(name, true);
    return (context) => template.render(context);
  };
}
