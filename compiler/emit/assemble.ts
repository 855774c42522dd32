/** Joins the parts of a unit into one JavaScript text. */
import { macroFunction } from './call.ts';
import type { BlockOutlet, EmitContext, Reference } from './context.ts';
import { literal } from './writer.ts';

/** Generated code as plain data. The disk cache keeps it. */
export interface UnitCode {
  readonly code: string;
  readonly references: readonly Reference[];
  /** Outlets in this template, even if they were given to emit. */
  readonly ownOutlets: readonly BlockOutlet[];
  /** Flat triples: generated line (from 1), column (from 0), template offset. */
  readonly segments: readonly number[];
}

/** @param blocks entries of the map of block functions */
export function assemble(ctx: EmitContext, blocks: readonly string[]): UnitCode {
  const macros = ctx.facts.macros.map(({ name }) => `[${literal(name)}, ${macroFunction(name)}]`);
  const constants = [...ctx.unit.constants].map(([code, name]) => `const ${name} = ${code};`);
  const helpers = [...ctx.unit.helpers].join(', ');
  const head = ['(function (rt, cells, self) {', '"use strict";', `const { ${helpers} } = rt;`];
  const parts = [
    'body',
    ...(blocks.length === 0 ? [] : [`blocks: new Map([${blocks.join(', ')}])`]),
    ...(macros.length === 0 ? [] : [`macros: new Map([${macros.join(', ')}])`]),
  ];
  return {
    code: [...head, ...constants, ...ctx.writer.lines(), `return { ${parts.join(', ')} };`, '})'].join('\n'),
    references: ctx.unit.references,
    ownOutlets: [...ctx.unit.ownOutlets.values()],
    segments: ctx.writer.segments(head.length + constants.length),
  };
}
