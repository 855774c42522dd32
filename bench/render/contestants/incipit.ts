import { Engine } from '../../../runtime/engine.ts';
import type { Sources, TemplateSet } from '../workload.ts';

export function openIncipit(sources: Sources): TemplateSet {
  const engine = new Engine({ load: (name) => sources[name], timeZone: 'UTC' });
  return (name) => {
    const render = engine.template(name);
    return (context) => {
      const output = render(context);
      if (typeof output !== 'string') throw new Error('the template was rendered asynchronously');
      return output;
    };
  };
}
