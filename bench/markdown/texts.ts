/** Markdown texts made to be costly: fragments repeated, mixed, nested in containers, or one part after another. */

type Random = () => number;

const fragments = [
  ...[
    'a\n',
    'a\n\n',
    '\n',
    'a\n===\n',
    'a\n---\n',
    '=\n',
    '---\n',
    '# a\n',
    '#\n',
    '***\n',
    '    a\n',
    'a  \n',
  ],
  ...[
    '- a\n',
    '- a\n\n',
    '- - a\n\n',
    '- a\n  - b\n',
    '- a\n\n  b\n',
    '- a\nb\n',
    '1. a\n',
    '-\n',
    '- [ ] a\n',
    '+ ',
  ],
  ...['> a\n', '> a\n\n', '> a\nb\n', '> - a\n', '>\n', '> ', '>', '- - - - a\n', '1) ', '10. a\n\n    b\n'],
  ...['*a_', '*a* ', '*_', '_a', '**a', '~a', '~~a~~ ', '***a***', 'a*b*', '*a\n', '__', '**[a](b)**', '[a*'],
  ...[
    '[a](',
    '[a',
    '[a] ',
    '[a][',
    '![a',
    '[a](b) ',
    '[]()',
    '[](<',
    '[a]("',
    ']',
    '[',
    '![a][b]',
    '[a]![',
    '[a\n',
  ],
  ...['[^a] ', '[^a]: b\n', '[^a]: > - ', '[a]: b\n', '[a]: b\n\n', '[a]:\n', '[a]: b "\n', '[a]: <b> "c\n'],
  ...[
    '`a',
    '``a`',
    '`a` ',
    '`a\n',
    '```\n',
    '~~~\na\n',
    '<a ',
    '<a\n',
    '<a b="',
    '<!-- ',
    'a<?',
    '<![CDATA[',
    '<div>\n',
  ],
  ...['<b>*a*</b> ', '</', '<', '&amp;', '&', '\\*', '\\', '\u0000', 'é', '(', '.', '!', ' ', '\t', 'word '],
  ...['www.a', 'www.a!', 'www.a.b ', 'http://a.b ', 'https://a', 'a@b.c ', 'a@', '&a;', 'ftp.', '://'],
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
];

const prefixes = ['', '', '', '> ', '- ', '  ', '> > ', '1. ', '- - - ', '| ', '[^a]: ', '    '];
const endings = ['', '', '\n', '\n\n', ' ', '|', '[a]', '`', '===\n'];

/** A way to make a text of any length. */
export type TextMaker = (length: number) => string;

/** The same seed always gives the same maker. */
export function textMaker(seed: number): TextMaker {
  const random = randomFrom(seed);
  const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    unit: unitOf(random),
    share: random() ** 2 + 0.01,
  }));
  const total = parts.reduce((sum, { share }) => sum + share, 0);
  const between = pick(random, endings);
  const prefix = pick(random, prefixes);
  return (length) => {
    const pieces = parts.map(({ unit, share }) => filled(unit, (length * share) / total));
    const text = pieces.join(between);
    return (prefix === '' ? text : text.replace(/^/gm, prefix)).slice(0, length);
  };
}

/** One to four fragments, to be repeated. */
function unitOf(random: Random): string {
  const count = 1 + Math.floor(random() ** 2 * 4);
  let unit = '';
  for (let index = 0; index < count; index++) {
    const fragment = pick(random, fragments);
    unit += random() < 0.2 ? fragment.repeat(1 + Math.floor(random() * 20)) : fragment;
  }
  return unit + (random() < 0.3 ? pick(random, endings) : '');
}

function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
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
