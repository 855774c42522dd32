import Handlebars from 'handlebars';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

export function openHandlebars(sources: Sources): TemplateSet {
  const handlebars = Handlebars.create();
  handlebars.registerHelper('upper', (text: string) => text.toUpperCase());
  handlebars.registerHelper('join', (list: readonly string[], separator: string) => list.join(separator));
  handlebars.registerHelper('or', (left: unknown, right: unknown) => left || right);
  handlebars.registerHelper('and', (left: unknown, right: unknown) => left && right);
  handlebars.registerHelper('gt', (left: number, right: number) => left > right);
  handlebars.registerHelper('next', (index: number) => index + 1);
  // Partials registered as text would be compiled anew in every render of a page with inline blocks.
  for (const [name, source] of Object.entries(sources)) {
    handlebars.registerPartial(name, handlebars.compile(source));
  }
  return (name) => {
    const template = handlebars.compile(sourceOf(sources, name));
    return (context) => template(context);
  };
}
