/** Attacks with values that are expensive because of their content or their number. */
import { type Attacks, thousand } from './attack.ts';

const tooManyRounds = 'more than 1,000,000 loop rounds';

/** `depth` nested lists; each contains the next one ten times. */
function wide(depth: number): unknown {
  return Array.from({ length: depth }).reduce((inner) => Array.from({ length: 10 }, () => inner), 'a');
}

const numbers = (): number[] => Array.from({ length: 200_000 }, (_, index) => index);
const longLists = [numbers(), numbers()];
const tooLarge = 'the values are too large to be compared, sorted or printed';

const insides: Attacks = {
  'equal lists that hold each other ten times, eighteen levels deep': {
    template: '{% if a == b %}{% endif %}',
    context: { a: wide(18), b: wide(18) },
    outcome: `error: page:1:7: ${tooLarge}`,
  },
  'the order of such lists': {
    template: '{% if a < b %}{% endif %}',
    context: { a: wide(18), b: wide(18) },
    outcome: `error: page:1:7: ${tooLarge}`,
  },
  'sorting by such lists': {
    template: '{{ rows|dictsort:"k" }}',
    context: { rows: Array.from({ length: 100 }, () => ({ k: wide(15) })) },
    outcome: `error: page:1:9: ${tooLarge}`,
  },
  'sorting by long texts': {
    template: '{{ rows|dictsort:"k" }}',
    context: { rows: thousand.map((number) => ({ k: `${'x'.repeat(100_000)}${number}` })) },
    outcome: `error: page:1:9: ${tooLarge}`,
  },
  'grouping by long lists': {
    template: '{% regroup rows by k as groups %}',
    context: { rows: thousand.map((number) => ({ k: longLists[number % 2] })) },
    outcome: `error: page:1:1: ${tooLarge}`,
  },
  'a field path of very many steps': {
    template: '{{ rows|where:path|length }}',
    context: { rows: thousand.map(() => ({ a: 1 })), path: `a${'.a'.repeat(400_000)},x` },
    outcome: '0',
  },
  'a format of brackets': {
    template: '{{ 1|stringformat:format }}',
    context: { format: '%('.repeat(300_000) },
    outcome: 'error: page:1:6: stringformat takes a format of at most 10000 characters',
  },
};

/** Attacks with values that a template creates and keeps. */
const kept: Attacks = {
  texts: {
    template: repeated(600, (index) => `{% set v${index} = "x"|ljust:8000000 %}`),
    outcome: `error: page:1:519: ${tooManyRounds}`,
  },
  'texts in lists': {
    template: repeated(600, (index) => `{% set v${index} = ["x"|ljust:8000000] %}`),
    outcome: `error: page:1:551: ${tooManyRounds}`,
  },
  lists: {
    template: `{% set l = megabyte|make_list %}${repeated(600, (index) => `{% set v${index} = l|slice:"1:" %}`)}`,
    outcome: `error: page:1:236: ${tooManyRounds}`,
  },
  'lists of the characters of a text': {
    template: `${'{% for x in megabyte %}'.repeat(60)}${'{% endfor %}'.repeat(60)}`,
    outcome: `error: page:1:358: ${tooManyRounds}`,
  },
  'the entries of a map': {
    template: `${'{% with x=map.items %}'.repeat(60)}${'{% endwith %}'.repeat(60)}`,
    context: { map: Object.fromEntries(numbers().map((number) => [`k${number}`, number])) },
    outcome: `error: page:1:231: ${tooManyRounds}`,
  },
  groups: {
    template: repeated(60, (index) => `{% regroup rows by x as g${index} %}`),
    context: { rows: numbers().map((x) => ({ x })) },
    outcome: `error: page:1:146: ${tooManyRounds}`,
  },
};

function repeated(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}

export const valueAttacks: Attacks = {
  ...insides,
  ...Object.fromEntries(Object.entries(kept).map(([name, attack]) => [`kept: ${name}`, attack])),
};
