/** All hostile templates, by what they must not do. */
import type { TemplateFunction } from '../../../../runtime/engine.ts';
import type { Attacks } from './attack.ts';
import { codeAttacks } from './code.ts';
import { compilingAttacks } from './compiling.ts';
import { markupAttacks } from './markup.ts';
import { nameAttacks } from './names.ts';
import { recursionAttacks } from './recursion.ts';
import { resourceAttacks } from './resources.ts';
import { valueAttacks } from './values.ts';

export const attackSuites: Readonly<Record<string, Attacks>> = {
  'names reach nothing but data': nameAttacks,
  'nothing of a template becomes code': codeAttacks,
  'memory and time are bounded': resourceAttacks,
  'memory and time of values are bounded': valueAttacks,
  'memory and time of compiling are bounded': compilingAttacks,
  'recursion ends and says who calls whom': recursionAttacks,
  'data does not become markup': markupAttacks,
};

/** Functions that the templates may call. */
export const attackFunctions: ReadonlyMap<string, TemplateFunction> = new Map([
  ['echo', { call: (_host, args, named) => ({ args, named }) }],
]);
