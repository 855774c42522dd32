import { Liquid } from 'liquidjs';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

/** Parsed once and rendered synchronously. liquidjs interprets templates, so this is its fastest way. */
export function openLiquid(sources: Sources): TemplateSet {
  const liquid = new Liquid({ templates: { ...sources }, outputEscape: 'escape', cache: true });
  return (name) => {
    const template = liquid.parse(sourceOf(sources, name));
    return (context) => String(liquid.renderSync(template, context));
  };
}
