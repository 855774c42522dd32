import type { Cycle, CycleNext, Expression, ResetCycle } from '../../grammar/ast.ts';
import { type CycleState, constant, type EmitContext, memoryKey } from './context.ts';
import { constantOutput, emitOutput, emitValue } from './expression.ts';
import { passedOut } from './rebind.ts';
import { assignCycle } from './scopes.ts';
import { literal, mark } from './writer.ts';

/**
 * `{% cycle a b as name silent %}`. The position of a cycle is kept under a key that only this tag has, so
 * that the cycle goes on across the rounds of every loop around the tag. Each include of the template begins
 * anew, as in Django.
 */
export function emitCycle(ctx: EmitContext, node: Cycle): void {
  const state = { values: node.values, as: node.as, silent: node.silent };
  emitStep(ctx, state, node.start, node.start);
}

/** Notes a cycle with a name. The walk may meet one several times, as part of a partial. */
export function declareCycle({ unit }: EmitContext, state: CycleState): void {
  const known = unit.cycles.get(state.as);
  if (known === undefined) unit.cycles.set(state.as, [state]);
  else if (known.every(({ id }) => id !== state.id)) known.push(state);
}

/** The last cycle of that name before a tag, as in Django; the first one if all stand below the tag. */
function cycleNamed({ unit }: EmitContext, name: string, offset: number): CycleState | undefined {
  const cycles = unit.cycles.get(name) ?? [];
  return cycles.findLast(({ id }) => id < offset) ?? cycles[0];
}

/** `{% cycle name %}`: the next step of a cycle declared elsewhere in the template. */
export function emitCycleNext(ctx: EmitContext, node: CycleNext): void {
  const state = cycleNamed(ctx, node.name, node.start);
  if (state === undefined) throw new Error(`check lets no unknown cycle through: ${node.name}`);
  emitStep(ctx, state, state.id, node.start);
}

export function cycleKey(ctx: EmitContext, offset: number): string {
  return memoryKey(ctx, 'cycle', offset);
}

type Step = Pick<CycleState, 'values' | 'silent'> & { readonly as: string | undefined };

/** @param id offset of the tag that declares the cycle */
function emitStep(ctx: EmitContext, { values, as, silent }: Step, id: number, offset: number): void {
  const { writer } = ctx;
  const position = nextPosition(ctx, id, values.length);
  const texts = values.map(constantOutput);
  if (as === undefined && !silent && texts.every((text) => text !== undefined)) {
    const list = constant(ctx, `[${texts.map(literal).join(', ')}]`, 'texts');
    writer.append(`${list}[${position}]`, offset);
    return;
  }
  writer.block(
    `switch (${mark(offset)}${position}) {`,
    () => {
      values.forEach((value, index) => {
        writer.block(
          `case ${index}:`,
          () => {
            if (as !== undefined) assignCycle(ctx, as, emitValue(ctx, value), offset);
            if (!silent) writer.line(`o += ${printed(ctx, value, as)};`, offset);
          },
          'break;',
        );
      });
    },
    '}',
    offset,
  );
  if (as === undefined) return;
  for (const step of passedOut(ctx, as)) writer.line(`${step};`, offset);
}

/** Code that moves a cycle and gives its new position. */
function nextPosition(ctx: EmitContext, id: number, count: number): string {
  const local = ctx.unit.localCycles.get(id);
  return local === undefined
    ? `r.cycle(${cycleKey(ctx, id)}, ${count})`
    : `${local} = (${local} + 1) % ${count}`;
}

/** A named cycle prints its variable, so that the value is computed once. */
function printed(ctx: EmitContext, value: Expression, as: string | undefined): string {
  return emitOutput(
    ctx,
    as === undefined ? value : { type: 'Name', name: as, start: value.start, end: value.end },
  );
}

/** `{% resetcycle name %}`: restarts the named cycle; without a name the last cycle before the tag. */
export function emitResetCycle(ctx: EmitContext, node: ResetCycle): void {
  const offset =
    node.name === undefined ? lastCycleBefore(ctx, node.start) : cycleNamed(ctx, node.name, node.start)?.id;
  if (offset === undefined) throw new Error('check lets no reset of an unknown cycle through');
  const local = ctx.unit.localCycles.get(offset);
  const reset = local === undefined ? `r.resetCycle(${cycleKey(ctx, offset)});` : `${local} = -1;`;
  ctx.writer.line(reset, node.start);
}

function lastCycleBefore(ctx: EmitContext, offset: number): number | undefined {
  const { cycleOffsets } = ctx.unit;
  let [low, high] = [0, cycleOffsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cycleOffsets[middle] ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return cycleOffsets[low - 1];
}

/**
 * The offsets are in the order of the walk. They may fall, because a partial may be defined above tags that
 * the walk meets before the partial is rendered. Each offset is lowered to the smallest offset from there on:
 * the last offset below a bound stays the same, and a binary search can find it.
 */
export function makeAscending(offsets: number[]): void {
  let least = Number.POSITIVE_INFINITY;
  for (let index = offsets.length - 1; index >= 0; index -= 1) {
    least = Math.min(least, offsets[index] ?? least);
    offsets[index] = least;
  }
}
