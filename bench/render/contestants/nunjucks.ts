import nunjucks from 'nunjucks';
import { filters, markupFilters } from '../tools.ts';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

export function openNunjucks(sources: Sources): TemplateSet {
  const loader = {
    getSource: (name: string) => ({ src: sourceOf(sources, name), path: name, noCache: false }),
  };
  const environment = new nunjucks.Environment(loader, { autoescape: true });
  for (const [name, filter] of Object.entries(filters)) {
    if (!ownFilters.has(name)) environment.addFilter(name, filter);
  }
  for (const [name, filter] of Object.entries(markupFilters)) {
    environment.addFilter(name, (value: string) => new nunjucks.runtime.SafeString(filter(value)));
  }
  environment.addGlobal('remembered', () => new Remembered());
  return (name) => {
    const template = environment.getTemplate(name, true);
    return (context) => template.render(context);
  };
}

const ownFilters = new Set(['default', 'join', 'length', 'upper', 'urlencode']);

/** A value that outlives a round of a loop, which variables of nunjucks do not. */
class Remembered {
  current: unknown = '';

  set(value: unknown): boolean {
    this.current = value;
    return true;
  }
}
