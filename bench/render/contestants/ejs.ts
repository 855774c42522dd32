import ejs from 'ejs';
import { type Engine, type Sources, sourceOf } from '../workload.ts';

/**
 * Functions compiled once, without `with` and without line tracking. Templates call each other as `it.render.name`:
 * the language's own `include` copies its options and works a path out each time.
 */
export function openEjs(sources: Sources): Engine {
  const compile = (name: string) =>
    ejs.compile(sourceOf(sources, name), { compileDebug: false, strict: true, localsName: 'it' });
  const templates = new Map(Object.keys(sources).map((name) => [name, compile(name)]));
  const render = Object.fromEntries(templates);
  return (name) => {
    const template = templates.get(name);
    if (template === undefined) throw new Error(`there is no template ${name}`);
    return (context) => template({ ...context, render });
  };
}
