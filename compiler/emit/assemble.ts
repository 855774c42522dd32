/** Joins the parts of a unit into one JavaScript text. */
import type { Facts } from '../facts.ts';
import { macroFunction } from './call.ts';
import type { EmitContext } from './context.ts';
import type { HelperName } from './helpers.ts';
import type { BlockOutlet, Reference } from './variant.ts';
import { literal } from './writer.ts';

/** Generated code as plain data. The disk cache keeps it. */
export interface UnitCode {
  readonly code: string;
  /** Helpers that the code takes as arguments, in this order. */
  readonly helpers: readonly HelperName[];
  readonly references: readonly Reference[];
  /** Outlets in this template, even if they were given to emit. */
  readonly ownOutlets: readonly BlockOutlet[];
  /** Flat triples: generated line (from 1), column (from 0), template offset. */
  readonly segments: readonly number[];
}

/**
 * Helpers are parameters: for constants that are taken from an object V8 compiles an expression more, and a check at
 * every use. Calls of both are as quick.
 *
 * @param blocks entries of the map of block functions
 */
export function assemble(ctx: EmitContext, blocks: readonly string[]): UnitCode {
  const helpers = [...ctx.unit.helpers];
  const constants = [...ctx.unit.constants].map(([code, name]) => `const ${name} = ${code};`);
  const head = [`(function (${['cells', 'self', ...helpers].join(', ')}) {`, '"use strict";', ...constants];
  return {
    code: [...head, ...ctx.writer.lines(), ...result(ctx, blocks), '})'].join('\n'),
    helpers,
    references: ctx.unit.references,
    ownOutlets: [...ctx.unit.ownOutlets.values()],
    segments: ctx.writer.segments(head.length),
  };
}

/** The end of the factory. Without blocks and macros the function of the body is returned where it is written. */
function result({ facts }: EmitContext, blocks: readonly string[]): readonly string[] {
  if (isBodyAlone(facts)) return [];
  const macros = facts.macros.map(({ name }) => `[${literal(name)}, ${macroFunction(name)}]`);
  const parts = [
    'body',
    ...(blocks.length === 0 ? [] : [`blocks: new Map([${blocks.join(', ')}])`]),
    ...(macros.length === 0 ? [] : [`macros: new Map([${macros.join(', ')}])`]),
  ];
  return [`return { ${parts.join(', ')} };`];
}

/** Whether the body is the only function of the unit. */
export function isBodyAlone({ blocks, macros }: Facts): boolean {
  return blocks.length === 0 && macros.length === 0;
}
