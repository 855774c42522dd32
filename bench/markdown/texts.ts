/** Markdown texts made to be costly: fragments repeated, mixed, nested in containers, or one part after another. */

type Random = () => number;

const lines =
  'a\n|a\n\n|\n|a\n===\n|a\n---\n|=\n|---\n|# a\n|#\n|***\n|    a\n|a  \n|a\\\n|\t\n|###### a #\n|* * *\n'.split(
    '|',
  );
const lists =
  '- a\n|- a\n\n|- - a\n\n|- a\n  - b\n|- a\n\n  b\n|- a\nb\n|1. a\n|-\n|- [ ] a\n|- [x] *a*\n|+ |1) |10. a\n\n    b\n'.split(
    '|',
  );
const quotes = '> a\n|> a\n\n|> a\nb\n|> - a\n|>\n|> |>|- - - - a\n|> > a\n> b\n|> ```\n'.split('|');
const emphasis =
  '*a_|*a* |*_|_a|**a|~a|~~a~~ |~a~|***a***|a*b*|*a\n|__|**[a](b)**|[a*|*a **b _c ~~d |é*|*é|*.*'.split('|');
const links =
  '[a](|[a|[a] |[a][|![a|[a](b) |[]()|[](<|[a]("|]|[|![a][b]|[a]![|[a\n|![|](b)|[a](<b> (|[a](b \'|[[a]]|\\[a](b)'.split(
    '|',
  );
const definitions =
  '[^a] |[^a]: b\n|[^a]: > - |[a]: b\n|[a]: b\n\n|[a]:\n|[a]: b "\n|[a]: <b> "c\n|[a]: b (\n|[a]: b \'c\n|[^a|[^|[a\nb]: c\n|[^b]: c\n\n    d\n'.split(
    '|',
  );
const html =
  '<a |<a\n|<a b="|<!-- |a<?|<![CDATA[|<div>\n|<b>*a*</b> |</|<|<a b=c |</a |<script>\n|<!a|<table><tr><td>|<a@b.c>|<http://a>|<a b=\'|-->|?>|<pre>\n\n'.split(
    '|',
  );
const code = '`a|``a`|`a` |`a\n|```\n|~~~\na\n|``` a\n|````\n```\n|`'.split('|');
const characters = [
  ...['&amp;', '&', '&a;', '&#1;', '\\*', '\\', '\u0000', 'é', '(', ')', '.', '!', ' ', '\t', 'word '],
  ...['\r', '\r\n', '𝒳', '\ud800', '\u00a0', ':', '-', '+', '@', '/', '#', '%', '{', '=', '"', "'"],
];
const addresses =
  'www.a|www.a!|www.a.b |http://a.b |https://a|a@b.c |a@|ftp.|://|www.|http://|a_b@|.a|www.a.b/(c) |http://a)&b;|a@b.c_|a.b+c|www.a_|http://a_/|http://a_|a_b@'.split(
    '|',
  );
const tables = [
  ...[
    '|',
    '|a',
    '| a | b |\n',
    '|-',
    'a|b\n-|-\n',
    '|-|\n',
    '|a|\n|-|\n',
    'a|b\n-|-\n1|2\n\n',
    '|\n',
    ':-:|',
  ],
  ...['|`a|`|\n', '\\|', '|a|b|\n|:-|-:|\n|', '| *a* | [b](c) |\n'],
];
const families = [
  lines,
  lists,
  quotes,
  emphasis,
  links,
  definitions,
  html,
  code,
  characters,
  addresses,
  tables,
];

const prefixes = ['', '', '', '> ', '- ', '  ', '> > ', '1. ', '- - - ', '| ', '[^a]: ', '    ', '\t', '# '];
const endings = ['', '', '\n', '\n\n', ' ', '|', '[a]', '`', '===\n', '\n[a]: b\n', '@a.b', '-->'];

/** What opens, and what closes it. Repeated they make brackets in brackets. */
const pairs = [
  ...[
    ['[', '](b)'],
    ['![', '](b)'],
    ['[', ']'],
    ['![', ']'],
    ['*', '*'],
    ['**a ', ' b**'],
    ['~~', '~~'],
  ],
  ...[
    ['<b>', '</b>'],
    ['`', '`'],
    ['(', ')'],
    ['> ', ''],
    ['- ', ''],
    ['[^a]: ', ''],
    ['_a ', '_'],
    ['1. ', ''],
  ],
] as const;

/** A way to make a text of any length. */
export type TextMaker = (length: number) => string;

/** The same seed always gives the same maker. */
export function textMaker(seed: number): TextMaker {
  const random = randomFrom(seed);
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    make: partOf(random),
    share: random() ** 2 + 0.01,
  }));
  const total = parts.reduce((sum, { share }) => sum + share, 0);
  const between = pick(random, endings);
  const prefix = pick(random, prefixes);
  return (length) => {
    const text = parts.map(({ make, share }) => make((length * share) / total)).join(between);
    return (prefix === '' ? text : text.replace(/^/gm, prefix)).slice(0, length);
  };
}

function partOf(random: Random): TextMaker {
  const kind = random();
  if (kind < 0.7) return repeated(unitOf(random));
  if (kind < 0.8) return nested(random);
  if (kind < 0.9) return mixed(random);
  return wideTable(random);
}

function repeated(unit: string): TextMaker {
  return (length) => unit.repeat(Math.ceil(length / unit.length));
}

/** One to four fragments, to be repeated. */
function unitOf(random: Random): string {
  const count = 1 + Math.floor(random() ** 2 * 4);
  let unit = '';
  for (let index = 0; index < count; index++) {
    const fragment = fragmentOf(random);
    unit += random() < 0.2 ? fragment.repeat(1 + Math.floor(random() * 20)) : fragment;
  }
  return unit + (random() < 0.3 ? pick(random, endings) : '');
}

/** Pairs within each other, with a text between them that is long or short. */
function nested(random: Random): TextMaker {
  const [open, close] = pick(random, pairs);
  const depth = 2 ** Math.floor(random() * 8);
  const unit = unitOf(random);
  const share = random() < 0.5 ? 0 : random();
  return (length) => {
    const inside = repeated(unit)(length * share).slice(0, length * share);
    return repeated(open.repeat(depth) + inside + close.repeat(depth))(length);
  };
}

/** Fragments in no order, from a few or from all families. */
function mixed(random: Random): TextMaker {
  const some = Array.from({ length: 1 + Math.floor(random() * 12) }, () => fragmentOf(random));
  const seed = Math.floor(random() * 2 ** 31);
  return (length) => {
    const next = randomFrom(seed);
    let text = '';
    while (text.length < length) text += pick(next, some);
    return text;
  };
}

/** Many columns and rows that may be shorter. */
function wideTable(random: Random): TextMaker {
  const columns = 2 ** Math.floor(random() * 12);
  const row = random() < 0.5 ? 'a\n' : unitOf(random).replaceAll('\n', '|');
  const head = `${'a|'.repeat(columns)}\n${`${pick(random, ['-', ':-:', '-:'])}|`.repeat(columns)}\n`;
  return (length) => head + repeated(`${row}\n`)(length);
}

function fragmentOf(random: Random): string {
  return pick(random, pick(random, families));
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

/** Mulberry32: numbers from 0 to 1. */
function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
