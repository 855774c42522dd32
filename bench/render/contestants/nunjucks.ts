import { Environment } from 'nunjucks';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

export function openNunjucks(sources: Sources): TemplateSet {
  const loader = {
    getSource: (name: string) => ({ src: sourceOf(sources, name), path: name, noCache: false }),
  };
  const environment = new Environment(loader, { autoescape: true });
  return (name) => {
    const template = environment.getTemplate(name, true);
    return (context) => template.render(context);
  };
}
