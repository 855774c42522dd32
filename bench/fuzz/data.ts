/** Hostile data under the names that random templates use. */
import type { TemplateFunction } from '../../runtime/engine.ts';

const circle: Record<string, unknown> = { title: 'circle' };
circle['self'] = circle;
circle['list'] = [circle];

const markup = '<script>"\'&`</script>';

/** A map from JSON, like a render context: `__proto__` is an own key of the map. */
const polluting: unknown = JSON.parse(
  '{"__proto__": {"x": 1}, "constructor": {"prototype": {"x": 1}}, "length": -1, "then": "x"}',
);

const node = {
  id: 1,
  title: markup,
  slug: 'a/../b',
  href: 'javascript:alert(1)',
  path: '//evil.example/',
  children: [{ title: markup, children: [] }],
  parent: { title: 'parent', parent: null },
  effective_lang: 'de',
  date: new Date(8.64e15),
  meta: polluting,
};

export const hostileContext: Readonly<Record<string, unknown>> = {
  a: markup,
  b: [1, markup, null, [2, 3], polluting, Number.NaN, -0, Number.POSITIVE_INFINITY],
  item: polluting,
  l: ['b', 'a', 'b', '', '10', '9'],
  m: { key: markup, items: 'own', 0: 'zero', '': 'empty', '<': '<' },
  page: { ...node, self: circle },
  site: { ...node, lang: markup },
  route: { slug: markup },
  deep: JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`),
  circle,
  state: 'a'.repeat(20_000),
  r: 1e21,
  this: new Date(Number.NaN),
  größe: '\ud800\u0000\u202e',
  slots: { content: markup },
  today: new Date(0),
  now: new Date(0),
  preview: false,
};

const list: TemplateFunction = { lasting: true, call: () => [node, polluting, markup, null] };

/** Name of a function that fails as broken code would. No random template uses it. */
export const plantedFault = 'planted_fault';

/** Functions under the names of the real ones, with unexpected results. */
export const hostileFunctions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ['f', { call: (_host, args, named) => [args, named] }],
  ['later', { async: true, call: async (_host, [value]) => value }],
  ['data', list],
  ['children', list],
  ['nav', list],
  ['item', { lasting: true, call: () => node }],
  ['asset_url', { lasting: true, call: () => markup }],
  ['not_found', { call: () => null }],
  [
    plantedFault,
    {
      call: () => {
        throw new TypeError('planted');
      },
    },
  ],
]);
