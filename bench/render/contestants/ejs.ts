import ejs from 'ejs';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

/**
 * Functions compiled once, without `with` and without line tracking. Templates call each other as
 * `it.render.name`, because the `include` of ejs copies its options and computes a path in each call.
 */
export function openEjs(sources: Sources): TemplateSet {
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
