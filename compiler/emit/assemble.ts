/** The parts of a unit as one text of JavaScript. */
import { macroFunction } from './call.ts';
import type { EmitContext, Reference, Site } from './context.ts';
import { helperNames } from './helpers.ts';
import { literal } from './writer.ts';

/** Generated code, plain data: what the disk cache keeps. */
export interface UnitCode {
  readonly code: string;
  readonly references: readonly Reference[];
  /** Places of blocks in this template, without those given. */
  readonly ownSites: readonly Site[];
  /** Flat triples: generated line (from 1), column (from 0), template offset. */
  readonly segments: readonly number[];
}

/**
 * @param blocks entries of the map of block functions
 * @param given how many of the block places were known before
 */
export function assemble(ctx: EmitContext, blocks: readonly string[], given: number): UnitCode {
  const macros = ctx.facts.macros.map(({ name }) => `[${literal(name)}, ${macroFunction(name)}]`);
  const constants = [...ctx.unit.constants].map(([code, name]) => `const ${name} = ${code};`);
  const own = [...constants, ctx.writer.code()].join('\n');
  const helpers = [...new Set(own.match(helperLike))].filter((word) => isHelper.has(word));
  const head = ['(function (rt, cells, self) {', '"use strict";', `const { ${helpers.join(', ')} } = rt;`];
  const parts = [
    'body',
    ...(blocks.length === 0 ? [] : [`blocks: new Map([${blocks.join(', ')}])`]),
    ...(macros.length === 0 ? [] : [`macros: new Map([${macros.join(', ')}])`]),
  ];
  return {
    code: [...head, own, `return { ${parts.join(', ')} };`, '})'].join('\n'),
    references: ctx.unit.references,
    ownSites: [...ctx.unit.sites.values()].slice(given),
    segments: ctx.writer.segments(head.length + constants.length),
  };
}

const isHelper: ReadonlySet<string> = new Set(helperNames);

/**
 * Every helper is called or asked for a property, but for the constants among them. The bound keeps long words in
 * texts cheap.
 */
const helperLike = /\b[A-Za-z]\w{0,20}(?=[(.])|NONE/g;
