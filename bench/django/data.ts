/** The variables of the compared templates. Names are short and few, so that scopes hide each other's. */
import type { Random } from './random.ts';

const person = (name: string, age: number | null, tags: readonly string[]) => ({ name, age, tags });

const fixed: Readonly<Record<string, unknown>> = {
  a: 'A<&>',
  b: 'two words',
  n: 3,
  z: 0,
  neg: -12,
  f: 3.75,
  half: 2.5,
  big: 1234567,
  num: '42',
  dec: '-3.70',
  e: '',
  no: null,
  yes: true,
  off: false,
  safe: { $safe: '<b>bold & "quoted"</b>' },
  html: '<p class="x">One <i>two</i> three</p><br/>tail & more',
  lines: 'first line\nsecond <line>\r\n\r\nfourth\n',
  uni: 'Ünï çødé ß ǆ 👍🏽 e\u0301 ΑΣ',
  d: { $date: '2024-05-01T10:30:05Z' },
  d2: { $date: '2023-12-31T23:59:59Z' },
  l: ['b', 'a', '<c>', 'a'],
  l1: ['only'],
  l0: [],
  ns: [3, 1, 2, 2],
  pairs: [
    ['x', 1],
    ['y', 2],
  ],
  tree: ['root', ['leaf <1>', 'leaf 2', ['deep']], 'end'],
  people: [
    person('Ann', 30, ['x', 'y']),
    person('Bob', 30, []),
    person('<Cid>', 25, ['x']),
    person('Dan', 30, ['z']),
  ],
  m: { k: 'v<', inner: { k: 'deep', list: [1, 2] }, 10: 'ten', items_: 1 },
  name1: 'part1',
  name2: 'part2',
  layout: 'base',
};

/** A map whose order differs from the one that JavaScript would give it. */
const order = '{"10": "ten", "b": "bee", "2": "two", "1": "one"}';

export const variableNames: readonly string[] = [...Object.keys(fixed), 'order'].filter(
  (name) => !/^d2?$/.test(name),
);

const fragments: readonly string[] = [
  'http://',
  'https://',
  'www.',
  'example.com',
  'test',
  'mailto:',
  'x@y.org',
  'user@example.com',
  'a.b.co',
  'ftp://h',
  '/path/to',
  '?q=1&b=2',
  '#frag',
  '(',
  ')',
  '[',
  ']',
  '<',
  '>',
  '"',
  "'",
  '.',
  ',',
  '!',
  ':',
  ';',
  '&amp;',
  '&lt;',
  '&gt',
  '&',
  '%20',
  '%',
  ' ',
  ' ',
  ' ',
  '\n',
  'at',
  '@',
  'é',
  'münchen.de',
  '.net',
  '.com',
  'a-b',
  '_',
  '<b>',
  '</b>',
  '<a href="/x">',
  '</a>',
  '<!-- c -->',
  '1',
  '-',
  '\t',
  '👍',
  '\u00a0',
];

/** A text of pieces of addresses, markup and words. */
function randomText(random: Random): string {
  return random.list(1, 9, () => random.pick(fragments)).join('');
}

/** The variables of one case: `t` is a random text, all others are the same in every case. */
export function contextFrom(random: Random): string {
  return `${JSON.stringify({ ...fixed, t: randomText(random) }).slice(0, -1)}, "order": ${order}}`;
}
