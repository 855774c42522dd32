/**
 * Tree and facts to JavaScript. One unit of code holds one variant of one template: a function for its body, one
 * for each of its blocks at each place that outputs it, one for each macro.
 *
 *     Hello {{ name|upper }}!
 *
 *     (function (rt, cells, self) {
 *       "use strict";
 *       const { escape, ... } = rt;
 *       const upper_1 = filters.get("upper");
 *       const body = (function (r, c, B) {
 *         let o = "";
 *         r.enter(null);
 *         o += "Hello ";
 *         o += escape(upper_1.apply(orEmpty(c.name), r.escaping));
 *         o += "!";
 *         r.leave();
 *         return o;
 *       });
 *       return { body };
 *     })
 */
import type { Block, Macro, Node, Template } from '../../grammar/ast.ts';
import { errorAt } from '../../grammar/errors.ts';
import { splitName } from '../../grammar/names.ts';
import type { Facts } from '../facts.ts';
import type { CompilerOptions } from '../options.ts';
import { walkNodes } from '../walk.ts';
import { assemble, type UnitCode } from './assemble.ts';
import { emitBlock } from './block.ts';
import { changedKey, emitIfChanged } from './changed.ts';
import { emitBlocks as emitBlockTree, emitComponent, emitSlot } from './component.ts';
import {
  constant,
  type EmitContext,
  eagerFunction,
  freshName,
  functionHead,
  Scope,
  type Site,
  type Surroundings,
  siteKey,
  type Variant,
} from './context.ts';
import { cycleKey, emitCycle, emitCycleNext, emitResetCycle, makeAscending } from './cycle.ts';
import { emitParent, preludeOf } from './extends.ts';
import { emitFor } from './for.ts';
import { emitIf } from './if.ts';
import { emitInclude } from './include.ts';
import { emitImport, emitMacro, registerImport } from './macro.ts';
import { emitOutputTag, emitText } from './output.ts';
import { declareAssigned, emitSet, emitWith } from './scopes.ts';
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
import { CodeTooLong, literal, Writer } from './writer.ts';

export type { UnitCode } from './assemble.ts';

export interface UnitInput {
  readonly template: Template;
  readonly facts: Facts;
  readonly options: CompilerOptions;
  readonly surroundings: Surroundings;
  readonly variant: Variant;
  /** Places in the layouts above (or given by a template below) at which this template's blocks may be output. */
  readonly sites: readonly Site[];
  /** Whether the template is known by name to others; a page's own text is not. */
  readonly named: boolean;
}

/** @throws TemplateError */
export function emitUnit(input: UnitInput): UnitCode {
  try {
    return emitWhole(input);
  } catch (error) {
    if (error instanceof CodeTooLong) throw errorAt(input.template, error.offset, error.message);
    throw error;
  }
}

function emitWhole(input: UnitInput): UnitCode {
  const ctx = createContext(input);
  const nodes = input.template.body;
  const { macros, blocks } = register(ctx, nodes);
  for (const macro of macros) emitMacro(ctx, macro);
  emitTemplateBody(ctx, input);
  const functions = emitBlocks(extending(ctx, nodes), blocks);
  return assemble(ctx, functions, input.sites.length);
}

interface Definitions {
  /** Each once: the body of a partial stands in the tree at every place that renders it. */
  readonly macros: ReadonlySet<Macro>;
  readonly blocks: ReadonlyMap<string, Block>;
}

/** Makes known what counts for the whole unit wherever it stands, and finds what is written apart from the body. */
function register(ctx: EmitContext, nodes: readonly Node[]): Definitions {
  const macros = new Set<Macro>();
  const blocks = new Map<string, Block>();
  walkNodes(nodes, (node) => {
    switch (node.type) {
      case 'Macro':
        macros.add(node);
        break;
      case 'Block':
        blocks.set(node.name, node);
        break;
      case 'Import':
        registerImport(ctx, node);
        break;
      case 'Cycle': {
        const { start: id, values, as, silent } = node;
        ctx.unit.cycleOffsets.push(id);
        if (as !== undefined) ctx.unit.cycles.set(as, { id, values, as, silent });
        ctx.unit.memoryKeys.add(cycleKey(ctx, id));
        break;
      }
      case 'IfChanged':
        ctx.unit.memoryKeys.add(changedKey(ctx, node));
        break;
      default:
    }
  });
  makeAscending(ctx.unit.cycleOffsets);
  return { macros, blocks };
}

function createContext({ template, facts, options, surroundings, variant, sites }: UnitInput): EmitContext {
  return {
    emitBody,
    template,
    facts,
    options,
    surroundings,
    variant,
    writer: new Writer(),
    unit: {
      references: [],
      cells: new Map(),
      sites: new Map(sites.map((site) => [siteKey(site), site])),
      constants: new Map(),
      usedNames: new Map(),
      macros: new Map(facts.macros.map(({ name, params }) => [name, params.map((param) => param.name)])),
      imports: new Map(),
      cycles: new Map(),
      cycleOffsets: [],
      memoryKeys: new Set(),
    },
    scope: new Scope(),
    autoescape: variant.autoescape,
    inMacro: false,
    superOf: undefined,
    captured: undefined,
  };
}

// --------------------------------------------------------------------------------------------- the body

function emitTemplateBody(ctx: EmitContext, input: UnitInput): void {
  const params = ctx.variant.names.map((name) => ({ name, js: freshName(ctx, name) }));
  const inner = { ...ctx, scope: new Scope() };
  for (const { name, js } of params) inner.scope.bind(name, { kind: 'local', js });
  const { body } = input.template;
  const parent = body.find((node) => node.type === 'Extends');
  const { head, tail } = eagerFunction(ctx, 'body', ['r', 'c', 'B', ...params.map(({ js }) => js)]);
  const emitContent = () => {
    ctx.writer.line(ctx.variant.async ? 'let o = "", t;' : 'let o = "";');
    ctx.writer.line(
      `r.enter(${input.named ? literal(splitName(input.template.name).template) : 'null'});`,
      0,
    );
    const nodes = parent ? preludeOf(body) : body;
    const { memoryKeys } = ctx.unit;
    const keys = memoryKeys.size > 0 ? constant(ctx, `[${[...memoryKeys].join(', ')}]`, 'keys') : undefined;
    if (keys !== undefined) ctx.writer.line(`const suspended = r.suspend(${keys});`);
    declareAssigned(inner, nodes, { ...ctx, scope: new Scope() });
    emitBody(inner, nodes);
    if (parent) emitParent(inner, parent);
    if (keys !== undefined) ctx.writer.line(`r.resume(${keys}, suspended);`);
    ctx.writer.line('r.leave();');
    ctx.writer.line('return o;');
  };
  ctx.writer.block(head, emitContent, tail);
}

// ------------------------------------------------------------------------------------------- the blocks

/** Below a layout, what may be seen has been settled by the context that was handed to it. */
function extending(ctx: EmitContext, nodes: readonly Node[]): EmitContext {
  if (!nodes.some((node) => node.type === 'Extends')) return ctx;
  return { ...ctx, variant: { ...ctx.variant, isolated: false } };
}

/** Writes this template's blocks for every place known; writing one may show further places, inside it. */
function emitBlocks(ctx: EmitContext, definitions: Definitions['blocks']): readonly string[] {
  const entries: string[] = [];
  // A map hands out what is added while it is gone through.
  for (const [key, site] of ctx.unit.sites) {
    const definition = definitions.get(site.block);
    if (definition) entries.push(`[${literal(key)}, ${emitBlockFunction(ctx, definition, key, site)}]`);
  }
  return entries;
}

function emitBlockFunction(ctx: EmitContext, node: Block, key: string, site: Site): string {
  const name = freshName(ctx, `block_${node.name}`);
  const params = site.names.map((param) => ({ name: param, js: freshName(ctx, param) }));
  const { head, tail } = blockFunction(ctx, name, ['r', 'c', 'B', 'L', ...params.map(({ js }) => js)]);
  const scope = new Scope();
  for (const param of params) scope.bind(param.name, { kind: 'local', js: param.js });
  const inner = { ...ctx, scope, autoescape: site.autoescape, superOf: key };
  ctx.writer.block(
    head,
    () => {
      ctx.writer.line(ctx.variant.async ? 'let o = "", t;' : 'let o = "";', node.start);
      declareAssigned(inner, node.body, { ...ctx, scope: new Scope() });
      emitBody(inner, node.body);
      ctx.writer.line('return o;');
    },
    tail,
    node.start,
  );
  return name;
}

/** Below a layout blocks are what is shown; those of a layout are mostly shown in the version of a page. */
function blockFunction(ctx: EmitContext, name: string, params: readonly string[]) {
  const isShown = ctx.facts.dependencies.some(({ kind }) => kind === 'extends');
  return isShown ? eagerFunction(ctx, name, params) : { head: functionHead(ctx, name, params), tail: '}' };
}

// ----------------------------------------------------------------------------------------- the statements

/** After how many values in a row, without a loop, the output is looked at. */
const checkOutputEvery = 64;

function emitBody(ctx: EmitContext, nodes: readonly Node[]): void {
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
  Partial: (ctx, node) => emitBody(ctx, node.body),
  // Written elsewhere: by the body of the template, and at the head of the unit.
  Extends: () => {},
  Macro: () => {},
};

function emitNode<Type extends Node['type']>(ctx: EmitContext, node: NodesByType[Type]): void {
  const emit: (ctx: EmitContext, node: NodesByType[Type]) => void = emitters[node.type as Type];
  emit(ctx, node);
}
