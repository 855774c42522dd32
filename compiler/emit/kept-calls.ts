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
import { type EmitContext, freshName, type UnitState } from './context.ts';

/**
 * Declares a variable for each call that the loop keeps, in front of it. Calls that are written alike share one.
 *
 * @returns a function to be called when the body of the loop is written
 */
export function keepCalls(ctx: EmitContext, node: For): () => void {
  const { facts, template, unit, writer } = ctx;
  if (facts.functions.length === 0) return keptNone;
  unit.keptByLoop ??= planOf(ctx);
  // The nodes of a partial are at every tag that renders it: there a loop around may keep the call already.
  const calls = [...(unit.keptByLoop.get(node) ?? [])].filter((call) => !unit.keptCalls.has(call));
  const names = new Map<string, string>();
  for (const call of calls) {
    const text = template.source.slice(call.start, call.end);
    const name = names.get(text) ?? freshName(ctx, 'kept');
    names.set(text, name);
    unit.keptCalls.set(call, name);
  }
  if (names.size > 0) writer.line(`let ${[...names.values()].join(', ')};`, node.start);
  return () => {
    for (const call of calls) unit.keptCalls.delete(call);
  };
}

function keptNone(): void {}

/** A loop, with the positions of what is in it: all nodes of a template are numbered in order. */
interface LoopFrame {
  readonly node: For;
  readonly outer: LoopFrame | undefined;
  readonly start: number;
  end: number;
}

/** A call that a loop around it may keep, and the names that its arguments read. */
interface Candidate {
  readonly call: Call;
  readonly names: readonly string[];
  readonly loop: LoopFrame;
}

/** What one walk through a template finds. Lists of positions are ascending. */
interface Found {
  readonly ctx: EmitContext;
  position: number;
  readonly candidates: Candidate[];
  readonly boundAt: Map<string, number[]>;
  /** Where code of a template runs that is not known here: of a layout, of a caller, of one that the data names. */
  readonly unknownAt: number[];
}

/** Most loops around a call of variables that are looked at: with more, the time for it would grow with their square. */
const maxLevels = 32;

/** The calls that each loop keeps: those whose arguments change in the loop around it, but not in itself. */
function planOf(ctx: EmitContext): NonNullable<UnitState['keptByLoop']> {
  const plan = new Map<For, Set<Call>>();
  if (!ctx.facts.functions.some((name) => lasts(ctx, name))) return plan;
  const found: Found = { ctx, position: 0, candidates: [], boundAt: new Map(), unknownAt: [] };
  visitNodes(found, ctx.template.body, undefined);
  const elsewhere = namesChangedElsewhere(ctx);
  for (const { call, names, loop } of found.candidates) {
    if (names.length > 0 && (elsewhere === 'all' || names.some((name) => elsewhere.has(name)))) continue;
    const keeper = outermost(loop, names.length === 0 ? Number.POSITIVE_INFINITY : maxLevels, (frame) =>
      changesAny(found, frame, names),
    );
    if (keeper === undefined) continue;
    const calls = plan.get(keeper.node) ?? new Set();
    plan.set(keeper.node, calls.add(call));
  }
  return plan;
}

function outermost(
  innermost: LoopFrame,
  levels: number,
  changes: (loop: LoopFrame) => boolean,
): LoopFrame | undefined {
  let kept: LoopFrame | undefined;
  let level = 0;
  for (let loop: LoopFrame | undefined = innermost; loop !== undefined && level < levels; loop = loop.outer) {
    if (changes(loop)) return kept;
    kept = loop;
    level += 1;
  }
  return kept;
}

function changesAny({ boundAt, unknownAt }: Found, loop: LoopFrame, names: readonly string[]): boolean {
  if (names.length === 0) return false;
  return hasWithin(unknownAt, loop) || names.some((name) => hasWithin(boundAt.get(name) ?? [], loop));
}

/** Whether one of the ascending positions is in the loop. */
function hasWithin(positions: readonly number[], { start, end }: LoopFrame): boolean {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return (positions[low] ?? end) < end;
}

// ---------------------------------------------------------------------------------------------- the walk

function visitNodes(found: Found, nodes: readonly Node[], loop: LoopFrame | undefined): void {
  for (const node of nodes) visitNode(found, node, loop);
}

function visitNode(found: Found, node: Node, loop: LoopFrame | undefined): void {
  const start = found.position++;
  for (const name of namesBoundBy(node)) bind(found, name, start);
  if (node.type === 'Regroup') bind(found, node.entry, start);
  if (node.type === 'Block' || node.type === 'Slot' || node.type === 'Blocks') found.unknownAt.push(start);
  for (const expression of expressionsOf(node)) visitExpression(found, expression, start, loop);
  if (node.type === 'For') {
    const own: LoopFrame = { node, outer: loop, start, end: start };
    visitNodes(found, node.body, own);
    own.end = found.position;
    visitNodes(found, node.empty ?? [], loop);
    return;
  }
  // Blocks and macros are functions of their own, which do not see the variables of the loop.
  const isApart = node.type === 'Block' || node.type === 'Macro';
  for (const body of bodiesOf(node)) visitNodes(found, body, isApart ? undefined : loop);
}

function bind({ boundAt }: Found, name: string, position: number): void {
  const positions = boundAt.get(name);
  if (positions === undefined) boundAt.set(name, [position]);
  else positions.push(position);
}

function visitExpression(
  found: Found,
  expression: Expression,
  position: number,
  loop: LoopFrame | undefined,
): void {
  walkExpression(expression, (part) => {
    if (isName(part, 'slots') || isSuper(part)) found.unknownAt.push(position);
    if (loop === undefined) return;
    const names = part.type === 'Call' ? namesInCall(found.ctx, part) : undefined;
    if (part.type === 'Call' && names !== undefined) found.candidates.push({ call: part, names, loop });
  });
}

function isSuper(expression: Expression): boolean {
  return expression.type === 'Member' && expression.key === 'super' && isName(expression.object, 'block');
}

// --------------------------------------------------------------------------------------------- the calls

function lasts({ options, unit }: EmitContext, name: string): boolean {
  return options.functions.get(name)?.lasting === true && !unit.macros.has(name) && !unit.imports.has(name);
}

/** The names that a call of a function whose values last reads; undefined for other calls and arguments. */
function namesInCall(ctx: EmitContext, { callee, args, named }: Call): readonly string[] | undefined {
  if (callee.type !== 'Name' || !lasts(ctx, callee.name)) return undefined;
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
      return namesInCall(ctx, expression);
    default:
      return undefined;
  }
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
