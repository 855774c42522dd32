/** Attacks that could use up memory or time while a template is rendered. */
import { type Attacks, megabyte, thousand } from './attack.ts';

const tooManyRounds = 'more than 1,000,000 loop rounds';
const tooMuchOutput = 'more than 20 MB of output';
const tooDeepToParse = 'error: page:1:1: the template is nested too deeply to be parsed';
const tooDeep = 'error: page:1:1: the template is nested too deeply';

const widths: Attacks = {
  'ljust to a huge width': {
    template: '{{ "x"|ljust:"999999999" }}',
    outcome: 'error: page:1:8: the text would have 999999999 characters, more than 8388608',
  },
  'rjust to a huge width': {
    template: '{{ "x"|rjust:1000000000 }}',
    outcome: 'error: page:1:8: the text would have 1000000000 characters, more than 8388608',
  },
  'center to a huge width': {
    template: '{{ "x"|center:1e9 }}',
    outcome: 'error: page:1:8: the text would have 1000000000 characters, more than 8388608',
  },
  'a filter block to a huge width': {
    template: '{% filter upper|ljust:"99999999999" %}x{% endfilter %}',
    outcome: 'error: page:1:17: the text would have 99999999999 characters, more than 8388608',
  },
  'stringformat of a huge width': {
    template: '{{ 5|stringformat:"0999999999d" }}',
    outcome: 'error: page:1:6: stringformat can fill 10000 characters, not 999999999',
  },
  'floatformat of many digits': {
    template: '{{ 5|floatformat:9999999 }}',
    outcome: 'error: page:1:6: floatformat can show 1000 digits after the point, not 9999999',
  },
  'date of a huge format': {
    template: '{{ date|date:format|length }}',
    context: { date: new Date(0), format: 'Y'.repeat(1_000_000) },
    outcome: 'error: page:1:9: the format of a date has 1000000 characters, more than 10000',
  },
  'lorem of many words': {
    template: '{% lorem 99999999 w %}',
    outcome: 'error: page:1:1: {% lorem %} makes at most 10000 words or paragraphs',
  },
  'join by a long text': {
    template: '{{ thousand|join:megabyte|length }}',
    outcome: 'error: page:1:13: the text would have 9000010 characters, more than 8388608',
  },
  'a huge format for the time of the render': {
    template: '{% now megabyte %}',
    outcome: 'error: page:1:1: the format of a date has 1000000 characters, more than 10000',
  },
  'a text of a million parts': {
    template: '{{ megabyte|split:"x"|length }}',
    outcome: 'error: page:1:13: the list would have 1000001 entries, more than 1000000',
  },
};

const doubling: Attacks = {
  'a text that doubles by tilde': {
    template: '{% set s = "xxxxxxxxxx" %}{% for i in thousand %}{% set s = s ~ s %}{% endfor %}',
    outcome: 'error: page:1:61: the text would have 10485760 characters, more than 8388608',
  },
  'a text does not double by plus': {
    template: '{% set s = "xxxxxxxxxx" %}{% for i in thousand %}{% set s = s + s %}{% endfor %}',
    outcome: 'error: page:1:61: "+" needs numbers, and s is a text',
  },
  'a text that doubles by a filter': {
    template: '{% set s = "xxxxxxxxxx" %}{% for i in thousand %}{% set s = s|add:s %}{% endfor %}',
    outcome: 'error: page:1:63: the text would have 10485760 characters, more than 8388608',
  },
  'a list that doubles': {
    template: '{% set s = [1, 2] %}{% for i in thousand %}{% set s = s + s %}{% endfor %}',
    outcome: 'error: page:1:55: the list would have 1048576 entries, more than 1000000',
  },
  'lists that hold each other twice are compared to a bounded depth': {
    template:
      '{% set a = [1] %}{% set b = [1] %}{% for i in thousand %}{% set a = [a, a] %}{% set b = [b, b] %}{% if forloop.last %}{{ a == b }}{{ a < b }}{{ a in [b] }}{% endif %}{% endfor %}',
    outcome: 'FalseFalseFalse',
  },
};

const nesting: Attacks = {
  printed: {
    template: nested('{{ s }}'),
    outcome: 'error: page:1:92: the text would have 8389062 characters, more than 8388608',
  },
  'joined to a text': {
    template: nested('{{ s ~ "" }}'),
    outcome: 'error: page:1:95: the text would have 8389062 characters, more than 8388608',
  },
  'as JSON': {
    template: nested('{{ s|json }}'),
    outcome: 'error: page:1:97: the text would have 8388762 characters, more than 8388608',
  },
  'as the key of a map': {
    template: nested('{{ {s: 1} }}'),
    outcome: 'error: page:1:95: a list cannot be the key of a map',
  },
};

/** Lists in lists, forty levels deep: each has the next one twice, and the last has a text of 1,000 characters. */
function nested(use: string): string {
  return `{% set s = long %}{% for i in thousand %}{% set s = [s, s] %}{% if forloop.counter == 40 %}${use}{% endif %}{% endfor %}`;
}

const loops: Attacks = {
  'four nested loops over a thousand entries with nothing inside': {
    template:
      '{% for a in thousand %}{% for b in thousand %}{% for c in thousand %}{% for d in thousand %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}',
    outcome: `error: page:1:70: ${tooManyRounds}`,
  },
  'nested loops that print': {
    template:
      '{% for a in thousand %}{% for b in thousand %}{% for c in thousand %}x{% endfor %}{% endfor %}{% endfor %}',
    outcome: `error: page:1:47: ${tooManyRounds}`,
  },
  'nested loops over the characters of a text': {
    template: '{% for a in megabyte %}{% for b in megabyte %}{% endfor %}{% endfor %}',
    outcome: `error: page:1:24: ${tooManyRounds}`,
  },
  'loops spread over includes': {
    template: '{% for a in thousand %}{% include "part" %}{% endfor %}',
    templates: { part: '{% for b in thousand %}{% for c in thousand %}{% endfor %}{% endfor %}' },
    outcome: `error: part:1:24: ${tooManyRounds}`,
  },
  'a template with many cycles in nested loops': {
    template: '{% for a in thousand %}{% for b in thousand %}{% include "part" %}{% endfor %}{% endfor %}',
    templates: { part: `{% if no %}${'{% cycle 1 2 %}'.repeat(5_000)}{% endif %}` },
    outcome: `error: part:1:1: ${tooManyRounds}`,
  },
  'a tree of includes, two at each of forty levels': {
    template: '{% include "level0" %}',
    templates: Object.fromEntries(
      Array.from({ length: 41 }, (_, level) => [
        `level${level}`,
        level === 40 ? '' : `{% include "level${level + 1}" %}`.repeat(2),
      ]),
    ),
    outcome: `error: level39:1:1: ${tooManyRounds}`,
  },
  'a tree of macro calls': {
    template: '{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}',
    outcome: `error: page:1:1: ${tooManyRounds}`,
  },
};

const output: Attacks = {
  'a loop that prints a megabyte ten thousand times': {
    template: '{% for a in thousand %}{% for b in "0123456789" %}{{ megabyte }}{% endfor %}{% endfor %}',
    outcome: `error: page:1:24: ${tooMuchOutput}`,
  },
  'the same through an include': {
    template: '{% for a in thousand %}{% include "part" %}{% endfor %}',
    templates: { part: '{{ megabyte }}' },
    outcome: `error: page:1:1: ${tooMuchOutput}`,
  },
  'the same through a macro': {
    template: '{% macro m() %}{{ megabyte }}{% endmacro %}{% for a in thousand %}{{ m() }}{% endfor %}',
    outcome: `error: page:1:44: ${tooMuchOutput}`,
  },
  'the same through a slot': {
    template: '{% component "box" %}{{ megabyte }}{% endcomponent %}',
    templates: { box: '{% for a in thousand %}{% slot %}{% endslot %}{% endfor %}' },
    outcome: `error: box:1:1: ${tooMuchOutput}`,
  },
  'the same through a block': {
    template: '{% extends "base" %}{% block x %}{{ megabyte }}{{ block.super }}{% endblock %}',
    templates: { base: '{% for a in thousand %}{% block x %}{% endblock %}{% endfor %}' },
    outcome: `error: base:1:1: ${tooMuchOutput}`,
  },
  'the same inside a filter block': {
    template: '{% filter upper %}{% for a in thousand %}{{ megabyte }}{% endfor %}{% endfilter %}',
    outcome: `error: page:1:19: ${tooMuchOutput}`,
  },
  'without a loop': {
    template: '{{ megabyte }}'.repeat(25),
    outcome: `error: page:1:1: ${tooMuchOutput}`,
  },
  'text that grows when it is escaped': {
    template: '{% for a in thousand %}{{ hostile }}{% endfor %}',
    context: { hostile: '<'.repeat(10_000) },
    outcome: `error: page:1:1: ${tooMuchOutput}`,
  },
};

const parsing: Attacks = {
  parentheses: { template: `{{ ${'('.repeat(20_000)}1${')'.repeat(20_000)} }}`, outcome: tooDeepToParse },
  lists: { template: `{{ ${'['.repeat(20_000)}${']'.repeat(20_000)} }}`, outcome: tooDeepToParse },
  signs: { template: `{{ ${'- '.repeat(20_000)}1 }}`, outcome: tooDeepToParse },
  not: { template: `{% if ${'not '.repeat(20_000)}1 %}x{% endif %}`, outcome: tooDeepToParse },
  filters: { template: `{{ x${'|upper'.repeat(20_000)} }}`, outcome: tooDeep },
  sums: { template: `{{ 1${'+1'.repeat(20_000)} }}`, outcome: tooDeep },
  and: { template: `{% if 1${' and 1'.repeat(20_000)} %}x{% endif %}`, outcome: tooDeep },
  lookups: { template: `{{ x${'.a'.repeat(20_000)} }}`, outcome: tooDeep },
  tags: { template: `${'{% if 1 %}'.repeat(5_000)}${'{% endif %}'.repeat(5_000)}`, outcome: tooDeepToParse },
  loops: {
    template: `${'{% for i in thousand %}'.repeat(3_000)}${'{% endfor %}'.repeat(3_000)}`,
    outcome: tooDeepToParse,
  },
};

/** Combining marks that Unicode normalisation must sort. */
const disorder = '\u0f71\u0f72\u0f74'.repeat(300_000);

const hostileText: Attacks = {
  'slugify on marks in disorder': {
    template: '[{{ x|slugify }}]',
    context: { x: `a${disorder}b` },
    outcome: '[ab]',
  },
  'truncatechars on marks in disorder': {
    template: '{{ x|truncatechars:3|length }}',
    context: { x: `abcd${disorder}` },
    outcome: '3',
  },
  'truncatechars_html on marks in disorder': {
    template: '{{ x|truncatechars_html:3|length }}',
    context: { x: `abcd${disorder}` },
    outcome: '3',
  },
  'striptags on open tags': {
    template: '{{ x|striptags|length }}',
    context: { x: '<script'.repeat(50_000) },
    outcome: '350000',
  },
  'striptags on comments that never end': {
    template: '{{ x|striptags|length }}',
    context: { x: '<!--'.repeat(200_000) },
    outcome: '800000',
  },
  'urlize on one long address': {
    template: '{{ x|urlize|length }}',
    context: { x: `http://a.b/${'('.repeat(200_000)}${')'.repeat(200_000)}` },
    outcome: '400011',
  },
  'urlize on what looks like addresses': {
    template: '{{ x|urlize|length }}',
    context: { x: 'a@'.repeat(300_000) },
    outcome: '600000',
  },
  'slugify on separators': {
    template: '{{ x|slugify|length }}',
    context: { x: '- _'.repeat(300_000) },
    outcome: '0',
  },
  'truncatewords_html on open tags and entities': {
    template: '{{ x|truncatewords_html:5|length }}',
    context: { x: `${'<b '.repeat(100_000)}${'<'.repeat(100_000)}${'&'.repeat(100_000)}` },
    outcome: '32',
  },
  'wordwrap on blanks': {
    template: '{{ x|wordwrap:3|length }}',
    context: { x: ' '.repeat(800_000) },
    outcome: '800000',
  },
  'markdown on emphasis that never ends': {
    template: '{{ x|markdown|length }}',
    context: { x: '*a_'.repeat(8_000) },
    outcome: '24007',
  },
  'markdown on links that never end': {
    template: '{{ x|markdown|length }}',
    context: { x: '[a]('.repeat(8_000) },
    outcome: '32007',
  },
  'markdown on a table with many columns': {
    template: '{{ x|markdown|length }}',
    context: { x: `${'a|'.repeat(1_000)}\n${'-|'.repeat(1_000)}\n${'a\n'.repeat(8_000)}` },
    outcome:
      'error: page:1:6: the Markdown text consists of more than 105,540 elements (cells of tables, items of lists, emphasis)',
  },
  'markdown on a definition for many references': {
    template: '{{ x|markdown|length }}',
    context: { x: `[a]: ${'x'.repeat(100_000)}\n\n${'[a] '.repeat(50_000)}` },
    outcome: 'error: page:1:6: the Markdown text makes more than 8,388,608 characters of HTML',
  },
  'markdown on quotes within each other': {
    template: '{{ x|markdown:"safe"|length }}',
    context: { x: '>'.repeat(100_000) },
    outcome: 'error: page:1:6: the Markdown text nests lists and quotes more than 40 levels deep',
  },
  'spaceless on blanks between nothing': {
    template: '{% filter length %}{% spaceless %}{{ x|safe }}{% endspaceless %}{% endfilter %}',
    context: { x: `>${' '.repeat(300_000)}x` },
    outcome: '300002',
  },
};

export const resourceAttacks: Attacks = {
  ...widths,
  ...doubling,
  ...under('lists within lists', nesting),
  ...loops,
  ...output,
  ...under('nested to parse', parsing),
  ...hostileText,
};

function under(title: string, attacks: Attacks): Attacks {
  return Object.fromEntries(Object.entries(attacks).map(([name, attack]) => [`${title}: ${name}`, attack]));
}

/** Variables for all these attacks. */
export const resourceContext = { thousand, megabyte, long: 'x'.repeat(1_000) };
