/**
 * What differs in an engine for previews: values may have marks around them (`marks/mark-text.ts`), which say what
 * parameter of a block they are. Filters, operators and functions get values without marks, so that a preview shows
 * what the page would show.
 */
import type { HelperName } from '../../compiler/index.ts';
import type { FilterDefinition } from '../filters/filter.ts';
import { structureMark, unmarked } from '../marks/mark-text.ts';
import type { Helpers } from './helpers.ts';
import type { TemplateFunction } from './template-function.ts';

/** Filters whose result is the value, or the value in a form that previews know. */
const keepMarks: ReadonlySet<string> = new Set([
  'linebreaksbr',
  'safe',
  'escape',
  'force_escape',
  'default',
  'default_if_none',
]);

export function markedFilters(
  filters: ReadonlyMap<string, FilterDefinition>,
): ReadonlyMap<string, FilterDefinition> {
  return new Map([...filters].map(([name, filter]) => [name, keepMarks.has(name) ? filter : marked(filter)]));
}

function marked(filter: FilterDefinition): FilterDefinition {
  return {
    ...filter,
    apply: (value, env, ...args) => filter.apply(unmarked(value), env, ...args.map(unmarked)),
    ...(filter.quick === undefined
      ? {}
      : {
          quick(args, escaping) {
            const print = filter.quick?.(args, escaping);
            return print && ((value, env) => print(unmarked(value), env));
          },
        }),
  };
}

export function markedFunctions(
  functions: ReadonlyMap<string, TemplateFunction>,
): ReadonlyMap<string, TemplateFunction> {
  return new Map(
    [...functions].map(([name, { call, ...signature }]) => [
      name,
      {
        ...signature,
        call: (host, args, named) =>
          call(
            host,
            args.map(unmarked),
            Object.fromEntries(Object.entries(named).map(([key, value]) => [key, unmarked(value)])),
          ),
      },
    ]),
  );
}

/** Helpers that look into values. */
const looking: readonly HelperName[] = [
  'get',
  'listOf',
  'unpack',
  'equal',
  'identical',
  'less',
  'lessOrEqual',
  'contains',
  'lacks',
  'add',
  'subtract',
  'multiply',
  'divide',
  'modulo',
  'negative',
  'positive',
  'hasChanged',
  'hasChangedOutside',
  'isOther',
  'widthRatio',
  'nameIn',
  'renderNamed',
  'extendNamed',
  'macroNamed',
];

export function markedHelpers(helpers: Helpers): Helpers {
  const own = Object.fromEntries(
    looking.map((name) => {
      const helper = helpers[name];
      if (typeof helper !== 'function') throw new TypeError(`the helper ${name} is no function`);
      return [name, (...args: readonly unknown[]): unknown => helper(...args.map(unmarked))];
    }),
  );
  return Object.assign(Object.create(helpers), own, { spaceless });
}

/** As the tag does without marks: those between tags stay. */
function spaceless(html: string): string {
  return html.trim().replace(betweenTags, (between) => between.replace(/\s+/g, ''));
}

const betweenTags = new RegExp(`>(?:\\s|${structureMark})+<`, 'g');
