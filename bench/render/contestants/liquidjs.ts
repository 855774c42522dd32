import { Liquid } from 'liquidjs';
import { filters, markupFilters } from '../tools.ts';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

/** Parsed once and rendered synchronously. liquidjs interprets templates, so this is its fastest way. */
export function openLiquid(sources: Sources): TemplateSet {
  const liquid = new Liquid({ templates: { ...sources }, outputEscape: 'escape', cache: true });
  for (const [name, filter] of Object.entries({ ...filters, ...markupFilters })) {
    if (!ownFilters.has(name)) liquid.registerFilter(name, filter);
  }
  return (name) => {
    const template = liquid.parse(sourceOf(sources, name));
    return (context) => String(liquid.renderSync(template, context));
  };
}

const ownFilters = new Set(['default', 'join', 'times', 'plus', 'minus']);
