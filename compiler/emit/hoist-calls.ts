/**
 * Hoists loop-invariant calls: stable functions whose arguments do not change between iterations. The first place that
 * a round reaches makes the call; a loop without rounds makes none.
 *
 *     let kept_1;
 *     for (...) { o += escape((kept_1 === undefined ? kept_1 = item_1.call(...) : kept_1)?.title); }
 */
import type { For } from '../../grammar/ast.ts';
import { type EmitContext, freshName } from './context.ts';
import { planHoists } from './hoist-plan.ts';

/**
 * Declares a variable for each call that the loop keeps, in front of it. Calls that are written alike share one.
 *
 * @returns a function to be called when the body of the loop is written
 */
export function hoistCalls(ctx: EmitContext, node: For): () => void {
  const { facts, template, unit, writer } = ctx;
  if (facts.functions.length === 0) return keptNone;
  unit.keptByLoop ??= planHoists(ctx);
  // The nodes of a partial are at every tag that renders it: there a loop around may keep the call already.
  const calls = [...(unit.keptByLoop.get(node) ?? [])].filter((call) => !unit.keptCalls.has(call));
  const variables = new Map<string, string>();
  for (const call of calls) {
    const text = template.source.slice(call.start, call.end);
    const variable = variables.get(text) ?? freshName(ctx, 'kept');
    variables.set(text, variable);
    unit.keptCalls.set(call, variable);
  }
  if (variables.size > 0) writer.line(`let ${[...variables.values()].join(', ')};`, node.start);
  return () => {
    for (const call of calls) unit.keptCalls.delete(call);
  };
}

function keptNone(): void {}
