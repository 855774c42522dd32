import ejs from 'ejs';
import { type Renderer, type Sources, sourceOf } from '../workload.ts';

/**
 * Functions compiled once, without `with` and without line tracking. Templates call each other as `it.render.name`:
 * the language's own `include` copies its options and works a path out each time.
 */
export function createEjsRenderer(sources: Sources): Renderer {
  const compile = (name: string) =>
    ejs.compile(sourceOf(sources, name), { compileDebug: false, strict: true, localsName: 'it' });
  const render = Object.fromEntries(Object.keys(sources).map((name) => [name, compile(name)]));
  const main = compile('main');
  return (context) => main({ ...context, render });
}
