import Handlebars from 'handlebars';
import { filters, markupFilters, runs } from '../tools.ts';
import { type Sources, sourceOf, type TemplateSet } from '../workload.ts';

const operators = {
  or: (left: unknown, right: unknown) => left || right,
  and: (left: unknown, right: unknown) => left && right,
  not: (value: unknown) => !value,
  eq: (left: unknown, right: unknown) => left === right,
  ne: (left: unknown, right: unknown) => left !== right,
  gt: (left: number, right: number) => left > right,
  gte: (left: number, right: number) => left >= right,
  lt: (left: number, right: number) => left < right,
  next: (index: number) => index + 1,
  even: (index: number) => index % 2 === 0,
  runs: (list: readonly Readonly<Record<string, string>>[], key: string) =>
    runs(list, (entry) => entry[key] ?? ''),
};

export function openHandlebars(sources: Sources): TemplateSet {
  const handlebars = Handlebars.create();
  for (const [name, helper] of Object.entries(operators)) handlebars.registerHelper(name, helper);
  // The options of the helper come as last argument; the filters take none of them.
  for (const [name, filter] of Object.entries(filters))
    handlebars.registerHelper(name, withoutOptions(filter));
  for (const [name, filter] of Object.entries(markupFilters)) {
    handlebars.registerHelper(name, (value: string) => new handlebars.SafeString(filter(value)));
  }
  handlebars.registerHelper('changed', changed);
  // Partials registered as text would be compiled anew in every render of a page with inline blocks.
  for (const [name, source] of Object.entries(sources)) {
    handlebars.registerPartial(name, handlebars.compile(source));
  }
  return (name) => {
    const template = handlebars.compile(sourceOf(sources, name));
    return (context) => template(context);
  };
}

/** Filters take one argument or two. */
function withoutOptions(filter: (...args: never[]) => unknown) {
  const call: (...args: unknown[]) => unknown = filter as (...args: unknown[]) => unknown;
  return (...args: unknown[]) => (args.length === 2 ? call(args[0]) : call(args[0], args[1]));
}

const seenDays = new WeakMap<object, string>();

/** `{{#changed @root date}}`: the block, if the day differs from the last one of the page. */
function changed(this: unknown, root: object, date: Date, options: Handlebars.HelperOptions): string {
  const day = filters.date(date, 'Y-m-d');
  const isNew = seenDays.get(root) !== day;
  seenDays.set(root, day);
  return isNew ? options.fn(this) : '';
}
