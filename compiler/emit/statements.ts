/** Which emitter writes which statement. */
import type { Node } from '../../grammar/ast.ts';
import { emitBlock } from './block.ts';
import { emitIfChanged } from './changed.ts';
import { emitBlockTree, emitComponent, emitSlot, isShown } from './component.ts';
import type { EmitContext } from './context.ts';
import { emitCycle, emitCycleNext, emitResetCycle } from './cycle.ts';
import { emitFor } from './for.ts';
import { emitIf } from './if.ts';
import { emitInclude } from './include.ts';
import { emitImport } from './macro.ts';
import { emitOutputTag, emitText } from './output.ts';
import { emitRegion } from './region.ts';
import { emitSet, emitWith } from './scopes.ts';
import {
  emitAutoescape,
  emitCache,
  emitFilterBlock,
  emitFirstOf,
  emitLorem,
  emitNow,
  emitQueryString,
  emitRegroup,
  emitSpaceless,
  emitWidthRatio,
} from './simple.ts';

/** Number of values appended in a row, without a loop, after which the length of the output is checked. */
const checkOutputEvery = 64;

export function emitBody(ctx: EmitContext, nodes: readonly Node[]): void {
  if (ctx.fill !== undefined && isShown(ctx, nodes)) ctx.writer.line(`${ctx.fill} = true;`);
  let unchecked = 0;
  for (const node of nodes) {
    emitNode(ctx, node);
    unchecked += ctx.writer.takeAppended();
    if (unchecked < checkOutputEvery) continue;
    ctx.writer.line(`if (o.length > ${ctx.options.maxOutputLength}) r.spend(o.length);`, node.start);
    unchecked = 0;
  }
}

type NodesByType = { readonly [Type in Node['type']]: Extract<Node, { readonly type: Type }> };

const emitters: {
  readonly [Type in Node['type']]: (ctx: EmitContext, node: NodesByType[Type]) => void;
} = {
  Text: emitText,
  Output: emitOutputTag,
  If: emitIf,
  For: emitFor,
  With: emitWith,
  Set: emitSet,
  Include: emitInclude,
  Block: emitBlock,
  Component: emitComponent,
  Slot: emitSlot,
  Import: emitImport,
  Autoescape: emitAutoescape,
  FirstOf: emitFirstOf,
  Cycle: emitCycle,
  CycleNext: emitCycleNext,
  Now: emitNow,
  Spaceless: emitSpaceless,
  FilterBlock: emitFilterBlock,
  IfChanged: emitIfChanged,
  Regroup: emitRegroup,
  ResetCycle: emitResetCycle,
  WidthRatio: emitWidthRatio,
  Cache: emitCache,
  Blocks: emitBlockTree,
  Lorem: emitLorem,
  QueryString: emitQueryString,
  Region: emitRegion,
  Partial: (ctx, node) => emitBody(ctx, node.body),
  // Written elsewhere: `extends` by emitTemplateBody, macros at the head of the unit.
  Extends: () => {},
  Macro: () => {},
};

function emitNode<Type extends Node['type']>(ctx: EmitContext, node: NodesByType[Type]): void {
  const emit: (ctx: EmitContext, node: NodesByType[Type]) => void = emitters[node.type as Type];
  emit(ctx, node);
}
