/** Filters: bound to constant arguments where that is quicker, else called with their operands. */
import type { Expression, Filter } from '../../grammar/ast.ts';
import { errorAt } from '../../grammar/errors.ts';
import { callHelper, constant, type EmitContext, helper, type Missing, type Value } from './context.ts';
import { literal, mark } from './writer.ts';

/** Emits an operand. The caller passes this function, because operands may hold filters again. */
type EmitValue = (ctx: EmitContext, expression: Expression, missing?: Missing) => string;

export function emitFilter(ctx: EmitContext, filter: Filter, missing: Missing, emitValue: EmitValue): Value {
  const signature = ctx.options.filters.get(filter.name);
  if (signature === undefined)
    throw errorAt(ctx.template, filter.nameStart, `unknown filter "${filter.name}"`);
  const constants = constantsOf(filter.args);
  if (signature.quickText === true && constants !== undefined) {
    const code = callHelper(ctx, 'changer', literal(filter.name), constants);
    const input = emitValue(ctx, filter.input, missing);
    const env = ctx.autoescape ? 'r.escaping' : 'r.plain';
    const js = `${mark(filter.nameStart)}${constant(ctx, code, filter.name)}(${input}, r, ${env})`;
    return { kind: 'any', js, maybeMissing: false };
  }
  const name = constant(ctx, `${helper(ctx, 'filters')}.get(${literal(filter.name)})`, filter.name);
  const env = ctx.autoescape ? 'r.escaping' : 'r.plain';
  // The cost of a filter grows with its input and arguments, so their sizes count against the budget.
  const args = filter.args.map((arg) => charged(arg, emitValue(ctx, arg)));
  const input = charged(filter.input, emitValue(ctx, filter.input, missing));
  const js = `${mark(filter.nameStart)}${name}.apply(${[input, env, ...args].join(', ')})`;
  switch (signature.returns) {
    case 'number':
    case 'boolean':
      return { kind: signature.returns, js };
    default:
      return { kind: 'any', js, maybeMissing: false };
  }
}

/**
 * Code of the output of `{{ value|filter:constants }}`, if the filter can print values quickly: it is bound to
 * its arguments once, and charges only for values that it does not print quickly.
 */
export function emitPrinter(
  ctx: EmitContext,
  expression: Expression,
  emitValue: EmitValue,
): string | undefined {
  if (expression.type !== 'Filter') return undefined;
  const { name, args, input, nameStart } = expression;
  if (ctx.options.filters.get(name)?.quick === undefined) return undefined;
  const constants = constantsOf(args);
  if (constants === undefined) return undefined;
  const code = callHelper(ctx, 'printer', literal(name), String(ctx.autoescape), constants);
  return `${mark(nameStart)}${constant(ctx, code, name)}(${emitValue(ctx, input)}, r)`;
}

/** Code of the list of arguments; undefined if one is no literal, or a long one. */
function constantsOf(args: readonly Expression[]): string | undefined {
  const constants = args.map((arg) =>
    arg.type === 'Literal' && !isLong(arg.value) ? literal(arg.value) : undefined,
  );
  return constants.includes(undefined) ? undefined : `[${constants.join(', ')}]`;
}

/** Code of an operand whose size counts against the budget of the render. */
export function charged(expression: Expression, js: string): string {
  return expression.type === 'Literal' && !isLong(expression.value) ? js : `r.charge(${js})`;
}

/** Only long literals count against the budget: a template is limited, but a loop may use a literal often. */
function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > 1_000;
}
