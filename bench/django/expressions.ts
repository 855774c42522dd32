/** Values, filters and conditions of the compared templates, in Django's syntax. */
import { variableNames } from './data.ts';
import type { Random } from './random.ts';

/** Filters of Django with arguments that fit, or do not. An entry without arguments takes none. */
const filters: readonly (readonly [name: string, args?: readonly string[]])[] = [
  ['add', ['1', '"x"', '-1', '""', '"2"']],
  ['addslashes'],
  ['capfirst'],
  ['center', ['10', '"7"', '0', '-1', '3']],
  ['cut', ['" "', '"a"', '"&"', '";"', '""']],
  ['default', ['"d<"', '"0"', '0']],
  ['default_if_none', ['"d<"', '0']],
  ['dictsort', ['"name"', '"age"', '"missing"', '0', '1', '"tags.0"']],
  ['dictsortreversed', ['"name"', '"age"', '0']],
  ['escape'],
  ['escapejs'],
  ['filesizeformat'],
  ['first'],
  ['floatformat', ['2', '-2', '0', '"2g"', '"-3"', '"0u"', '"g"', '"a"']],
  ['floatformat'],
  ['force_escape'],
  ['get_digit', ['1', '2', '0', '-1', '9', '"a"']],
  ['iriencode'],
  ['join', ['", "', '"<"', '""']],
  ['json_script', ['"id<"']],
  ['last'],
  ['length'],
  ['linebreaks'],
  ['linebreaksbr'],
  ['linenumbers'],
  ['ljust', ['10', '"3"', '0']],
  ['lower'],
  ['make_list'],
  ['pluralize'],
  ['pluralize', ['"es"', '"y,ies"', '"a,b,c"', '","']],
  ['pprint'],
  ['rjust', ['10', '"3"', '-2']],
  ['safe'],
  ['slice', ['":2"', '"1:"', '"-1"', '"::-1"', '"::2"', '"a"', '":0"', '"1:-1"', '"-2:"', '":"', '2']],
  ['slugify'],
  ['stringformat', ['"d"', '"s"', '"5.2f"', '"05d"', '"x"', '"r"', '"10s"', '"-6s|"', '"e"', '"%"', '"q"']],
  ['striptags'],
  ['title'],
  ['truncatechars', ['5', '1', '0', '"3"', '-1', '100', '"a"']],
  ['truncatechars_html', ['5', '1', '0', '10', '100']],
  ['truncatewords', ['2', '0', '"1"', '-1']],
  ['truncatewords_html', ['2', '0', '1', '100']],
  ['upper'],
  ['urlencode'],
  ['urlencode', ['""', '"&"']],
  ['urlize'],
  ['urlizetrunc', ['5', '12', '0', '"8"']],
  ['wordcount'],
  ['wordwrap', ['5', '10', '1', '"7"']],
  ['yesno'],
  ['yesno', ['"y,n"', '"y,n,m"', '"y"', '"a<,b<,c<"']],
];

/** Filters that fail in Django for most values, each with values that fit. */
const demanding: readonly (readonly [values: readonly string[], filters: readonly string[]])[] = [
  [
    ['d', 'd2'],
    [
      'date:"Y-m-d H:i"',
      'date:"D, j N Y P"',
      'date:"jS F y, l"',
      'date:"U e T z W t L"',
      'date',
      'time',
      'time:"H:i:s"',
      'time:"P g:i A"',
      'timesince:d2',
      'timeuntil:d2',
      'timesince:d',
      'timeuntil:d',
    ],
  ],
  [
    ['n', 'ns.1', 'big', 'num', 'neg', 'forloop.counter0'],
    ['divisibleby:2', 'divisibleby:"3"', 'divisibleby:7'],
  ],
  [
    ['l', 'people', 'pairs', 'tree', 'l0'],
    ['escapeseq', 'safeseq', 'unordered_list', 'escapeseq|join:"<"', 'safeseq|join:", "'],
  ],
  [['a', 'b', 'uni', 't', 'lines'], ['phone2numeric']],
];

const literals: readonly string[] = [
  '"text"',
  "'s < q'",
  '""',
  '"a b c"',
  '0',
  '1',
  '-1',
  '2.5',
  'True',
  'False',
  'None',
  '"<i>"',
  String.raw`"q\"uote"`,
];

/** Names that tags of the templates bind. A short list, so that they meet. */
export const boundNames: readonly string[] = ['x', 'y', 'w', 'rc', 'a', 'n'];

const paths: readonly string[] = [
  'm.k',
  'm.inner.k',
  'm.inner.list.1',
  'm.missing.k',
  'l.0',
  'l.9',
  'ns.1',
  'people.0.name',
  'people.2.tags.0',
  'pairs.1.0',
  'b.0',
  'm.10',
  'order.2',
  'missing',
  'missing.path',
  'x.name',
  'y.0',
];

const loopPaths: readonly string[] = [
  'forloop.counter',
  'forloop.counter0',
  'forloop.revcounter',
  'forloop.revcounter0',
  'forloop.first',
  'forloop.last',
  'forloop.parentloop.counter',
  'forloop.parentloop.last',
  'forloop.parentloop.parentloop.counter',
];

/** A variable, lookup or literal. */
export function operand(random: Random): string {
  return random.weighted<() => string>([
    [4, () => random.pick(boundNames)],
    [4, () => random.pick(variableNames)],
    [1, () => 't'],
    [2, () => random.pick(paths)],
    [2, () => random.pick(loopPaths)],
    [1, () => random.pick(literals)],
  ])();
}

/** An operand with filters. */
export function value(random: Random, filterChance = 0.4): string {
  let made = random.chance(0.1) ? demandingValue(random) : operand(random);
  while (random.chance(filterChance)) made += `|${filter(random)}`;
  return made;
}

function demandingValue(random: Random): string {
  const [values, suitable] = random.pick(demanding);
  return `${random.pick(values)}|${random.pick(suitable)}`;
}

export function filter(random: Random): string {
  const [name, args] = random.pick(filters);
  return args === undefined ? name : `${name}:${random.pick(args)}`;
}

const operators: readonly string[] = [
  '==',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'in',
  'not in',
  'is',
  'is not',
  'and',
  'or',
];

/** A condition of `{% if %}`. */
export function condition(random: Random, depth = 2): string {
  const part = (random.chance(0.2) ? 'not ' : '') + value(random, 0.15);
  if (depth === 0 || random.chance(0.5)) return part;
  return `${part} ${random.pick(operators)} ${condition(random, depth - 1)}`;
}

/** Something to loop over. */
export function iterable(random: Random): string {
  return random.weighted<() => string>([
    [5, () => random.pick(['l', 'ns', 'people', 'l1', 'pairs', 'tree'])],
    [1, () => random.pick(['l0', 'missing', 'no', 'e', 'b', 'm', 'order'])],
    [1, () => random.pick(['m.items', 'order.items', 'order.keys', 'order.values', 'm.inner.list'])],
    [1, () => `${random.pick(['l', 'people', 'ns'])}|slice:":2"`],
    [1, () => `${random.pick(['a', 'b'])}|make_list`],
    [1, () => random.pick(['x', 'y', 'y.list', 'x.tags'])],
  ])();
}
