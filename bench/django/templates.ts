/** Random sets of templates: a page with layouts, and parts that they include. */
import { type Case, entryName, type PairedPiece, type Piece } from './case.ts';
import { contextFrom } from './data.ts';
import { boundNames, condition, filter, iterable, operand, value } from './expressions.ts';
import { Random } from './random.ts';

/** The case of a seed. */
export function caseOf(seed: number): Case {
  const random = new Random(seed);
  const context = contextFrom(random);
  const pieces = new Map<string, readonly Piece[]>();
  const layouts = random.chance(0.6) ? 1 + random.below(3) : 0;
  const chain = [entryName, ...layoutNames.slice(layoutNames.length - layouts)];
  chain.forEach((name, level) => {
    const layout = chain[level + 1];
    pieces.set(name, layout === undefined ? rootTemplate(random, layouts > 0) : extending(random, layout, 0));
  });
  pieces.set('shell', body({ ...placeIn(random, partNames.length), isLayout: true }, 1, 3));
  partNames.forEach((name, level) => {
    pieces.set(name, random.chance(0.1) ? extending(random, 'shell', level + 1) : part(random, level));
  });
  return { seed, pieces, context };
}

const layoutNames: readonly string[] = ['middle', 'upper', 'base'];

/** Each part includes only parts after it, so no include is endless. */
const partNames: readonly string[] = ['part0', 'part1', 'part2'];

const blockNames: readonly string[] = ['b0', 'b1', 'b2', 'b3'];

/** The surroundings of the piece that is being made. */
interface Place {
  readonly random: Random;
  /** Tags around the piece may hold this many levels more. */
  readonly depth: number;
  /** Blocks that the template has not defined yet. */
  readonly blocks: Set<string>;
  readonly inBlock: boolean;
  /** Whether another template extends this one, or this one extends another. */
  readonly isLayout: boolean;
  /** Position in `partNames` from which parts may be included. */
  readonly parts: number;
  /** Names of cycles declared so far. */
  readonly cycles: string[];
}

function placeIn(random: Random, parts = 0): Place {
  return {
    random,
    depth: 3,
    blocks: new Set(blockNames),
    inBlock: false,
    isLayout: false,
    parts,
    cycles: [],
  };
}

function rootTemplate(random: Random, isLayout: boolean): readonly Piece[] {
  return body({ ...placeIn(random), isLayout }, 2, 5);
}

function part(random: Random, level: number): readonly Piece[] {
  return body({ ...placeIn(random, level + 1), depth: 2 }, 1, 3);
}

function extending(random: Random, layout: string, parts: number): readonly Piece[] {
  const place = { ...placeIn(random, parts), isLayout: true };
  const name = layout === 'base' && random.chance(0.2) ? 'layout' : `"${layout}"`;
  return [`{% extends ${name} %}`, ...random.list(1, 3, () => block(place)).flat()];
}

// --------------------------------------------------------------------------------------------------- pieces

type MakePiece = (place: Place) => readonly Piece[];

function body(place: Place, from: number, to: number): readonly Piece[] {
  return place.random.list(from, to, () => piece(place)).flat();
}

function inner(place: Place): readonly Piece[] {
  return body({ ...place, depth: place.depth - 1 }, 1, 3);
}

function paired(open: string, content: readonly Piece[], close: string): PairedPiece {
  return { open, bodies: [content], dividers: [], close };
}

function piece(place: Place): readonly Piece[] {
  const choices = place.depth > 0 ? [...flat, ...nested] : flat;
  return place.random.weighted(choices)(place);
}

const text: MakePiece = ({ random }) => [random.pick(['-', ' ', '<p>', '</p> ', '\n  ', '&', 'T', '> <'])];
const output: MakePiece = ({ random }) => [`[{{ ${value(random)} }}]`];
const comment: MakePiece = ({ random }) => [
  random.pick(['{# note {{ x }} #}', '{% comment "n" %}{% if %}{{ y }}{% endcomment %}']),
];
const verbatim: MakePiece = ({ random }) => [
  random.pick(['{% verbatim %}{{ x }}{% if %}{% endverbatim %}', '{% verbatim v %}{%%}{% endverbatim v %}']),
];
const templateTag: MakePiece = ({ random }) => [
  `{% templatetag ${random.pick(['openblock', 'closevariable', 'openbrace', 'closecomment'])} %}`,
];

/** {{ block.super }}, and outside of blocks an output in its place. */
const parent: MakePiece = (place) =>
  place.inBlock && place.isLayout ? ['({{ block.super }})'] : output(place);

const include: MakePiece = ({ random, parts }) => {
  const names = partNames.slice(parts);
  if (names.length === 0) return ['i'];
  const name = random.pick(names);
  const computed = name === 'part0' ? '"part"|add:"0"' : name.replace('part', 'name');
  const ref = random.chance(0.6) ? `"${name}"` : computed;
  const pairs = bindings(random, 0);
  const given = pairs.length === 0 ? '' : ` with ${pairs.join(' ')}`;
  return [`{% include ${ref}${given}${random.chance(0.2) ? ' only' : ''} %}`];
};

/** Up to two bindings `name=value`, each of another name. */
function bindings(random: Random, atLeast: number): readonly string[] {
  const names = new Set(random.list(atLeast, 2, () => random.pick(boundNames)));
  return [...names].map((name) => `${name}=${value(random, 0.2)}`);
}

const cycle: MakePiece = ({ random, cycles }) => {
  if (cycles.length > 0 && random.chance(0.3)) return [`{% cycle ${random.pick(cycles)} %}`];
  const values = random.list(2, 3, () => value(random, 0.1)).join(' ');
  if (random.chance(0.5)) return [`{% cycle ${values} %}`];
  const name = random.pick(['rc', 'rc', 'x', 'cy', 'a', 'n']);
  cycles.push(name);
  return [`{% cycle ${values} as ${name}${random.chance(0.3) ? ' silent' : ''} %}`];
};

const resetCycle: MakePiece = ({ random, cycles }) =>
  cycles.length === 0 ? ['r'] : [`{% resetcycle${random.chance(0.5) ? ` ${random.pick(cycles)}` : ''} %}`];

const firstOf: MakePiece = ({ random }) => {
  const values = random.list(1, 3, () => value(random, 0.2)).join(' ');
  return [`{% firstof ${values}${random.chance(0.4) ? ` as ${random.pick(boundNames)}` : ''} %}`];
};

const regroup: MakePiece = ({ random }) => {
  const key = random.pick(['age', 'tags', 'name', 'name|length', 'tags.0', 'missing', '0']);
  const name = random.pick(['y', 'x', 'groups']);
  const loop = `{% for g in ${name} %}<{{ g.grouper }}{% for p in g.list %}{{ p.name }},{% endfor %}>{% endfor %}`;
  return [
    `{% regroup ${random.pick(['people', 'l', 'pairs', 'missing', 'm'])} by ${key} as ${name} %}${loop}`,
  ];
};

const widthRatio: MakePiece = ({ random }) => {
  const values = [
    operand(random),
    random.pick(['n', 'big', '0', '100', 'f', 'z', 'a']),
    random.pick(['100', '7', '"7"']),
  ];
  return [`{% widthratio ${values.join(' ')}${random.chance(0.3) ? ' as w' : ''} %}`];
};

const flat: readonly (readonly [number, MakePiece])[] = [
  [3, text],
  [9, output],
  [0.3, comment],
  [0.3, verbatim],
  [0.3, templateTag],
  [4, parent],
  [3, include],
  [2, cycle],
  [0.5, resetCycle],
  [1.5, firstOf],
  [0.7, regroup],
  [0.7, widthRatio],
];

const ifTag: MakePiece = (place) => {
  const { random } = place;
  const tests = random.list(1, 3, () => condition(random));
  const hasElse = random.chance(0.5);
  const dividers = [
    ...tests.slice(1).map((test) => `{% elif ${test} %}`),
    ...(hasElse ? ['{% else %}'] : []),
  ];
  const bodies = [...dividers, ''].map(() => inner(place));
  return [{ open: `{% if ${tests[0]} %}`, bodies, dividers, close: '{% endif %}' }];
};

const forTag: MakePiece = (place) => {
  const { random } = place;
  const targets = random.chance(0.2) ? 'x, y' : random.pick(['x', 'y', 'w', 'rc', 'i']);
  const list = targets === 'x, y' ? random.pick(['pairs', 'm.items', 'order.items']) : iterable(random);
  const open = `{% for ${targets} in ${list}${random.chance(0.2) ? ' reversed' : ''} %}`;
  const dividers = random.chance(0.2) ? ['{% empty %}'] : [];
  return [{ open, bodies: ['', ...dividers].map(() => inner(place)), dividers, close: '{% endfor %}' }];
};

const withTag: MakePiece = (place) => {
  const { random } = place;
  const pairs = random.chance(0.2)
    ? `${value(random, 0.2)} as ${random.pick(boundNames)}`
    : bindings(random, 1).join(' ');
  return [paired(`{% with ${pairs} %}`, inner(place), '{% endwith %}')];
};

const ifChanged: MakePiece = (place) => {
  const { random } = place;
  const values = random.list(0, 2, () => value(random, 0.1)).map((one) => ` ${one}`);
  const dividers = random.chance(0.3) ? ['{% else %}'] : [];
  const bodies = ['', ...dividers].map(() => inner(place));
  return [{ open: `{% ifchanged${values.join('')} %}`, bodies, dividers, close: '{% endifchanged %}' }];
};

const filterTag: MakePiece = (place) => {
  const chain = place.random
    .list(1, 2, () => filter(place.random))
    .filter((one) => !/^(escape|safe)$/.test(one));
  if (chain.length === 0) return inner(place);
  return [paired(`{% filter ${chain.join('|')} %}`, inner(place), '{% endfilter %}')];
};

const autoescape: MakePiece = (place) => [
  paired(`{% autoescape ${place.random.pick(['on', 'off'])} %}`, inner(place), '{% endautoescape %}'),
];

const spaceless: MakePiece = (place) => [paired('{% spaceless %}', inner(place), '{% endspaceless %}')];

/** A block with a name that the template does not have yet. */
const block: MakePiece = (place) => {
  const { random, blocks } = place;
  if (blocks.size === 0) return ['b'];
  const name = random.pick([...blocks]);
  blocks.delete(name);
  // Blocks inside have names after this one, so that no layout and page put them into each other.
  const later = new Set([...blocks].filter((other) => other > name));
  const content = body({ ...place, blocks: later, depth: place.depth - 1, inBlock: true }, 1, 4);
  for (const other of blocks) if (other > name && !later.has(other)) blocks.delete(other);
  return [paired(`{% block ${name} %}`, content, `{% endblock${random.chance(0.2) ? ` ${name}` : ''} %}`)];
};

const nested: readonly (readonly [number, MakePiece])[] = [
  [3, ifTag],
  [5, forTag],
  [3, withTag],
  [2, ifChanged],
  [1, filterTag],
  [0.7, autoescape],
  [0.5, spaceless],
  [4, block],
];
