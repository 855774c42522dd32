import { Liquid } from 'liquidjs';
import { type Engine, type Sources, sourceOf } from '../workload.ts';

/** Parsed once and rendered synchronously, the fastest there is: the language is interpreted. */
export function openLiquid(sources: Sources): Engine {
  const liquid = new Liquid({ templates: { ...sources }, outputEscape: 'escape', cache: true });
  return (name) => {
    const template = liquid.parse(sourceOf(sources, name));
    return (context) => String(liquid.renderSync(template, context));
  };
}
