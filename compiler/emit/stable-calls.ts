/** Calls that give the same value for the same arguments during a render. */
import type { Call, Expression } from '../../grammar/ast.ts';
import type { EmitContext } from './context.ts';

/** Whether a name is that of a function whose values last. */
export function isStable({ options, unit }: EmitContext, name: string): boolean {
  return options.functions.get(name)?.lasting === true && !unit.macros.has(name) && !unit.imports.has(name);
}

/** The names that the arguments of a stable call read; undefined for other calls and arguments. */
export function namesReadBy(ctx: EmitContext, { callee, args, named }: Call): readonly string[] | undefined {
  if (callee.type !== 'Name' || !isStable(ctx, callee.name)) return undefined;
  return namesInAll(ctx, [...args, ...named.map(({ value }) => value)]);
}

function namesInAll(ctx: EmitContext, expressions: readonly Expression[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const expression of expressions) {
    const own = namesIn(ctx, expression);
    if (own === undefined) return undefined;
    names.push(...own);
  }
  return names;
}

/** The names in an expression without operators and filters. What `block` and `slots` have is made when it is read. */
function namesIn(ctx: EmitContext, expression: Expression): readonly string[] | undefined {
  switch (expression.type) {
    case 'Literal':
      return [];
    case 'Name':
      return expression.name === 'block' || expression.name === 'slots' ? undefined : [expression.name];
    case 'Member':
      return namesIn(ctx, expression.object);
    case 'Index':
      return namesInAll(ctx, [expression.object, expression.index]);
    case 'Call':
      return namesReadBy(ctx, expression);
    default:
      return undefined;
  }
}
