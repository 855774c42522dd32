/**
 * Which loop makes a call once for all its rounds: the outermost one around the call in which nothing changes a name
 * that the arguments read. All nodes of a template are numbered in order, so a loop is a range of positions, and a
 * search among the positions of changes tells whether one is inside.
 */
import type { Call, Expression, For, Node } from '../../grammar/ast.ts';
import { isName } from '../content-reads.ts';
import { namesBoundBy } from '../scope.ts';
import type { NameSet } from '../transitive-facts.ts';
import { listBodies, listExpressions, walkExpression } from '../walk.ts';
import type { EmitContext } from './context.ts';
import { isStable, namesReadBy } from './stable-calls.ts';

/** The calls that each loop makes once: their arguments change in the loop around it, but not in itself. */
export function planHoists(ctx: EmitContext): ReadonlyMap<For, ReadonlySet<Call>> {
  const plan = new Map<For, Set<Call>>();
  if (!ctx.facts.functions.some((name) => isStable(ctx, name))) return plan;
  const { candidates, changes } = new HoistSearch(ctx);
  const changedElsewhere = namesChangedElsewhere(ctx);
  for (const candidate of candidates) {
    if (isAnyIn(changedElsewhere, candidate.names)) continue;
    const loop = findOutermostLoop(candidate, changes);
    if (loop === undefined) continue;
    const calls = plan.get(loop) ?? new Set();
    plan.set(loop, calls.add(candidate.call));
  }
  return plan;
}

function isAnyIn(changed: NameSet, names: readonly string[]): boolean {
  return names.length > 0 && (changed === 'all' || names.some((name) => changed.has(name)));
}

/** Most loops around a call of variables that are looked at: with more, the time for it would grow with their square. */
const maxLevels = 32;

/** The outermost loop with no change of the names in it or in the loops between it and the call. */
function findOutermostLoop({ names, loop }: Candidate, changes: NameChanges): For | undefined {
  const levels = names.length === 0 ? Number.POSITIVE_INFINITY : maxLevels;
  let outermost: For | undefined;
  let level = 0;
  for (let frame: LoopFrame | undefined = loop; frame !== undefined; frame = frame.outer) {
    if (level === levels || changes.areIn(frame, names)) break;
    outermost = frame.node;
    level += 1;
  }
  return outermost;
}

/** Names to which cycles give other values, here or in another template that this one calls. */
function namesChangedElsewhere({ facts, surroundings }: EmitContext): NameSet {
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

/** A loop, with the positions of the nodes in its body. */
interface LoopFrame {
  readonly node: For;
  readonly outer: LoopFrame | undefined;
  readonly start: number;
  end: number;
}

/** A call that a loop around it may make once, its innermost loop, and the names that its arguments read. */
interface Candidate {
  readonly call: Call;
  readonly names: readonly string[];
  readonly loop: LoopFrame;
}

/** Finds the candidates of a template, and what changes names, in one walk. */
class HoistSearch {
  readonly candidates: Candidate[] = [];
  readonly changes = new NameChanges();
  readonly #ctx: EmitContext;
  #position = 0;

  constructor(ctx: EmitContext) {
    this.#ctx = ctx;
    this.#visitNodes(ctx.template.body, undefined);
  }

  #visitNodes(nodes: readonly Node[], loop: LoopFrame | undefined): void {
    for (const node of nodes) this.#visitNode(node, loop);
  }

  #visitNode(node: Node, loop: LoopFrame | undefined): void {
    const position = this.#position;
    this.#position += 1;
    this.#recordChanges(node, position);
    for (const expression of listExpressions(node)) this.#visitExpression(expression, position, loop);
    if (node.type === 'For') this.#visitLoop(node, position, loop);
    else {
      // Blocks and macros are functions of their own, which do not see the variables of the loop.
      const isApart = node.type === 'Block' || node.type === 'Macro';
      for (const body of listBodies(node)) this.#visitNodes(body, isApart ? undefined : loop);
    }
  }

  /** The body of `{% empty %}` is no part of the loop. */
  #visitLoop(node: For, start: number, outer: LoopFrame | undefined): void {
    const loop: LoopFrame = { node, outer, start, end: start };
    this.#visitNodes(node.body, loop);
    loop.end = this.#position;
    this.#visitNodes(node.empty ?? [], outer);
  }

  #recordChanges(node: Node, position: number): void {
    for (const name of namesBoundBy(node)) this.changes.addName(name, position);
    if (node.type === 'Regroup') this.changes.addName(node.entry, position);
    if (node.type === 'Block' || node.type === 'Slot' || node.type === 'Blocks')
      this.changes.addUnknown(position);
  }

  #visitExpression(expression: Expression, position: number, loop: LoopFrame | undefined): void {
    walkExpression(expression, (part) => {
      if (isName(part, 'slots') || isSuper(part)) this.changes.addUnknown(position);
      if (loop === undefined || part.type !== 'Call') return;
      const names = namesReadBy(this.#ctx, part);
      if (names !== undefined) this.candidates.push({ call: part, names, loop });
    });
  }
}

function isSuper(expression: Expression): boolean {
  return expression.type === 'Member' && expression.key === 'super' && isName(expression.object, 'block');
}

/** The positions at which names may change. Each list is ascending, because the walk goes on in order. */
class NameChanges {
  readonly #byName = new Map<string, number[]>();
  /** Where code of a template runs that is not known here: of a layout, of a caller, of one that the data names. */
  readonly #unknown: number[] = [];

  addName(name: string, position: number): void {
    const positions = this.#byName.get(name);
    if (positions === undefined) this.#byName.set(name, [position]);
    else positions.push(position);
  }

  addUnknown(position: number): void {
    this.#unknown.push(position);
  }

  areIn(loop: LoopFrame, names: readonly string[]): boolean {
    if (names.length === 0) return false;
    return (
      hasWithin(this.#unknown, loop) || names.some((name) => hasWithin(this.#byName.get(name) ?? [], loop))
    );
  }
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
