import { createEngine } from '../../../runtime/engine.ts';
import type { Renderer, Sources } from '../workload.ts';

export function createIncipitRenderer(sources: Sources): Renderer {
  const engine = createEngine({ load: (name) => sources[name] });
  return (context) => {
    const output = engine.render('main', context);
    if (typeof output !== 'string') throw new Error('the template was rendered asynchronously');
    return output;
  };
}
