/**
 * Calls inside a loop that are made once for the whole loop: of functions whose values last, with arguments that are
 * the same in every round. The first place that a round reaches makes the call; a loop without rounds makes none.
 *
 *     let kept_1;
 *     for (...) { o += escape((kept_1 === undefined ? kept_1 = item_1.call(...) : kept_1)?.title); }
 */
import type { Call, Expression, For, Node } from '../../grammar/ast.ts';
import { isName } from '../content-reads.ts';
import type { Reads } from '../reach.ts';
import { namesBoundBy } from '../scope.ts';
import { bodiesOf, expressionsOf, walkExpression } from '../walk.ts';
import { type EmitContext, freshName } from './context.ts';

/**
 * Declares a variable for each such call, in front of the loop. Calls that are written alike share one. A call whose
 * arguments change only in a loop around this one has a variable there, or here.
 */
export function keepCalls(ctx: EmitContext, node: For): EmitContext['keptCalls'] {
  if (!ctx.facts.functions.some((name) => lasts(ctx, name))) return ctx.keptCalls;
  const calls = callsIn(ctx, node).filter((call) => !ctx.keptCalls.has(call));
  if (calls.length === 0) return ctx.keptCalls;
  const kept = new Map(ctx.keptCalls);
  const names = new Map<string, string>();
  for (const call of calls) {
    const text = ctx.template.source.slice(call.start, call.end);
    const name = names.get(text) ?? freshName(ctx, 'kept');
    names.set(text, name);
    kept.set(call, name);
  }
  ctx.writer.line(`let ${[...names.values()].join(', ')};`, node.start);
  return kept;
}

function lasts({ options, unit }: EmitContext, name: string): boolean {
  return options.functions.get(name)?.lasting === true && !unit.macros.has(name) && !unit.imports.has(name);
}

function callsIn(ctx: EmitContext, node: For): readonly Call[] {
  const calls: Call[] = [];
  let changing: Reads | undefined;
  const changes = (name: string) => {
    changing ??= namesChangedBy(ctx, node);
    return changing === 'all' || changing.has(name);
  };
  visitExpressions(node.body, (expression) => {
    if (isLastingCall(ctx, expression, changes)) calls.push(expression);
  });
  return calls;
}

/** Blocks and macros are functions of their own, which do not see the variables of the loop. */
function visitExpressions(nodes: readonly Node[], visit: (expression: Expression) => void): void {
  for (const node of nodes) {
    if (node.type === 'Block' || node.type === 'Macro') continue;
    for (const expression of expressionsOf(node)) walkExpression(expression, visit);
    for (const body of bodiesOf(node)) visitExpressions(body, visit);
  }
}

type Changes = (name: string) => boolean;

function isLastingCall(ctx: EmitContext, expression: Expression, changes: Changes): expression is Call {
  if (expression.type !== 'Call' || expression.callee.type !== 'Name') return false;
  if (!lasts(ctx, expression.callee.name)) return false;
  const given = [...expression.args, ...expression.named.map(({ value }) => value)];
  return given.every((argument) => isFixed(ctx, argument, changes));
}

/** Whether an expression has the same value in every round. Only what costs nothing to tell: no operators and filters. */
function isFixed(ctx: EmitContext, expression: Expression, changes: Changes): boolean {
  switch (expression.type) {
    case 'Literal':
      return true;
    case 'Name':
      return !changes(expression.name);
    case 'Member':
      return isFixed(ctx, expression.object, changes);
    case 'Index':
      return isFixed(ctx, expression.object, changes) && isFixed(ctx, expression.index, changes);
    case 'Call':
      return isLastingCall(ctx, expression, changes);
    default:
      return false;
  }
}

/** Names whose values may change while the loop runs. Never too few. */
function namesChangedBy(ctx: EmitContext, node: For): Reads {
  ctx.unit.changedElsewhere ??= namesChangedElsewhere(ctx);
  if (ctx.unit.changedElsewhere === 'all' || runsUnknown(node.body)) return 'all';
  // What `block` and `slots` have is made when it is read.
  const names = new Set(['block', 'slots', ...namesBoundBy(node), ...ctx.unit.changedElsewhere]);
  addBound(names, node.body);
  return names;
}

/** Names to which cycles give other values, here or in another template that this one calls. */
function namesChangedElsewhere({ facts, surroundings }: EmitContext): Reads {
  const { blocks, cycles, dependencies, macros, slots } = facts;
  if (macros.length > 0 && blocks.length + slots.length > 0) return 'all';
  const names = new Set(cycles);
  for (const { kind, name, word } of dependencies) {
    // A layout runs only where a block is output.
    if (kind === 'extends') continue;
    const changed = name === null || word ? 'all' : surroundings.rebinds(name);
    if (changed === 'all') return 'all';
    for (const one of changed) names.add(one);
  }
  return names;
}

/** Whether nodes run code of a template that is not known here: of a layout, of a caller, of one that the data names. */
function runsUnknown(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.type === 'Block' || node.type === 'Slot' || node.type === 'Blocks') return true;
    let isFound = false;
    const visit = (expression: Expression) => {
      isFound ||= isName(expression, 'slots') || isSuper(expression);
    };
    for (const expression of expressionsOf(node)) walkExpression(expression, visit);
    return isFound || bodiesOf(node).some(runsUnknown);
  });
}

function isSuper(expression: Expression): boolean {
  return expression.type === 'Member' && expression.key === 'super' && isName(expression.object, 'block');
}

function addBound(names: Set<string>, nodes: readonly Node[]): void {
  for (const node of nodes) {
    for (const name of namesBoundBy(node)) names.add(name);
    if (node.type === 'Regroup') names.add(node.entry);
    for (const body of bodiesOf(node)) addBound(names, body);
  }
}
