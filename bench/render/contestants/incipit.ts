import { createEngine } from '../../../runtime/engine.ts';
import type { Engine, Sources } from '../workload.ts';

export function openIncipit(sources: Sources): Engine {
  const engine = createEngine({ load: (name) => sources[name] });
  return (name) => (context) => {
    const output = engine.render(name, context);
    if (typeof output !== 'string') throw new Error('the template was rendered asynchronously');
    return output;
  };
}
