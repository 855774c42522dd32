/**
 * Tree and facts to JavaScript. One unit of code holds one variant of one template: a function for its body,
 * one for each of its blocks at each outlet, one for each macro.
 *
 *     Hello {{ name|upper }}!
 *
 *     (function (cells, self, printer, orEmpty) {
 *       "use strict";
 *       const upper_1 = printer("upper", true, []);
 *       return (function (r, c, B) {
 *         let o = "";
 *         r.enter(null);
 *         o += "Hello " + upper_1(orEmpty(c.name), r) + "!\n";
 *         r.leave();
 *         return o;
 *       });
 *     })
 */
import type { Block, Macro, Node, Template } from '../../grammar/ast.ts';
import { errorAt } from '../../grammar/errors.ts';
import { splitName } from '../../grammar/names.ts';
import type { Facts } from '../facts.ts';
import type { CompilerOptions } from '../options.ts';
import { assignedName } from '../scope.ts';
import { isPlainLeaf, walkNodes } from '../walk.ts';
import { assemble, isBodyAlone, type UnitCode } from './assemble.ts';
import { changedKey, changedWithKeys } from './changed.ts';
import {
  constant,
  declareContents,
  type EmitContext,
  eagerFunction,
  freshName,
  functionHead,
  Scope,
  type UnitState,
} from './context.ts';
import { cycleKey, declareCycle, makeAscending } from './cycle.ts';
import { emitParent, listPrelude } from './extends.ts';
import { needsInstance } from './include.ts';
import { emitMacro, registerImport } from './macro.ts';
import { emitRebound, parameterScope } from './rebind.ts';
import { declareAssigned } from './scopes.ts';
import { emitBody } from './statements.ts';
import { type BlockOutlet, outletKey, type TemplateLookup, type Variant } from './variant.ts';
import { CodeTooLong, literal, Writer } from './writer.ts';

export type { UnitCode } from './assemble.ts';

export interface UnitInput {
  readonly template: Template;
  readonly facts: Facts;
  readonly options: CompilerOptions;
  readonly surroundings: TemplateLookup;
  readonly variant: Variant;
  /** Outlets in the layouts above, or given by a template below, that may output blocks of this template. */
  readonly outlets: readonly BlockOutlet[];
  /** Whether other templates can refer to the template by its name. The text of a page has no name. */
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
  const functions = emitBlockFunctions(extending(ctx, nodes), blocks);
  return assemble(ctx, functions);
}

interface Definitions {
  /** A set, because the tree holds the body of a partial at every tag that renders it. */
  readonly macros: ReadonlySet<Macro>;
  readonly blocks: ReadonlyMap<string, Block>;
}

/** Registers imports, cycles and memory keys for the whole unit. Finds the macros and blocks. */
function register(ctx: EmitContext, nodes: readonly Node[]): Definitions {
  const macros = new Set<Macro>();
  const blocks = new Map<string, Block>();
  const { unit } = ctx;
  walkNodes(nodes, (node) => {
    if (isPlainLeaf(node)) return;
    unit.needsInstance ||= needsInstance(ctx, node);
    unit.assigns ||= assignedName(node) !== undefined;
    switch (node.type) {
      case 'IfChanged':
        unit.hasIfChanged = true;
        break;
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
        unit.cycleOffsets.push(id);
        if (as !== undefined) declareCycle(ctx, { id, values, as, silent });
        break;
      }
      default:
    }
  });
  makeAscending(unit.cycleOffsets);
  placeMemories(ctx, nodes, blocks.size > 0 || macros.size > 0);
  return { macros, blocks };
}

/** Most cycles that variables hold: each costs a little whenever the body begins, and nobody is charged for it. */
const maxLocalCycles = 16;

/**
 * Cycles of a template without blocks and macros are all in its body, and begin anew with it: variables hold
 * their positions. The memory of all other tags lies under keys.
 */
function placeMemories(ctx: EmitContext, nodes: readonly Node[], hasFunctions: boolean): void {
  const { cycleOffsets, localCycles, memoryKeys, hasIfChanged } = ctx.unit;
  for (const offset of cycleOffsets) {
    if (hasFunctions || cycleOffsets.length > maxLocalCycles) memoryKeys.add(cycleKey(ctx, offset));
    else if (!localCycles.has(offset)) localCycles.set(offset, freshName(ctx, 'cycle'));
  }
  if (hasIfChanged) for (const node of changedWithKeys(nodes)) memoryKeys.add(changedKey(ctx, node));
}

function createContext(input: UnitInput): EmitContext {
  const { template, facts, options, surroundings, variant } = input;
  return {
    emitBody,
    template,
    facts,
    options,
    surroundings,
    variant,
    writer: new Writer(),
    unit: createUnit(input),
    scope: new Scope(),
    autoescape: variant.autoescape,
    inMacro: false,
    rebound: new Map(),
    superOf: undefined,
    fill: undefined,
    captured: undefined,
  };
}

function createUnit({ facts, outlets }: UnitInput): UnitState {
  // Not written into the object, because V8 makes one with lists in it in many steps.
  const references: UnitState['references'] = [];
  const cycleOffsets: UnitState['cycleOffsets'] = [];
  return {
    helpers: new Set(),
    waits: 0,
    references,
    cells: new Map(),
    outlets: new Map(outlets.map((outlet) => [outletKey(outlet), outlet])),
    ownOutlets: new Map(),
    constants: new Map(),
    usedNames: new Map(),
    macros: new Map(facts.macros.map(({ name, params }) => [name, params.map((param) => param.name)])),
    imports: new Map(),
    cycles: new Map(),
    localCycles: new Map(),
    cycleOffsets,
    assigns: false,
    hasIfChanged: false,
    needsInstance: false,
    memoryKeys: new Set(),
    keptByLoop: undefined,
    keptCalls: new Map(),
  };
}

// --------------------------------------------------------------------------------------------- the body

function emitTemplateBody(ctx: EmitContext, input: UnitInput): void {
  const { scope, params } = parameterScope(ctx, ctx.variant.names);
  const inner = { ...ctx, scope: new Scope(scope), rebound: new Map<string, string>() };
  const { body } = input.template;
  const parent = body.find((node) => node.type === 'Extends');
  const place = isBodyAlone(ctx.facts) ? 'return' : 'const body =';
  const { head, tail } = eagerFunction(ctx, place, ['r', 'c', 'B', ...params]);
  const emitContent = () => {
    ctx.writer.line(ctx.variant.async ? 'let o = "", t;' : 'let o = "";');
    ctx.writer.line(
      `r.enter(${input.named ? literal(splitName(input.template.name).template) : 'null'});`,
      0,
    );
    if (ctx.unit.needsInstance)
      ctx.writer.line('const instance = r.takeInstance(), around = r.beginInstance(self, instance);');
    const nodes = parent ? listPrelude(body) : body;
    const { localCycles, memoryKeys } = ctx.unit;
    for (const name of localCycles.values()) ctx.writer.line(`let ${name} = -1;`);
    const keys = memoryKeys.size > 0 ? constant(ctx, `[${[...memoryKeys].join(', ')}]`, 'keys') : undefined;
    if (keys !== undefined) ctx.writer.line(`const suspended = r.suspend(${keys});`);
    declareContents(ctx);
    declareAssigned(inner, nodes, { ...ctx, scope });
    emitBody(inner, nodes);
    if (parent) emitParent(inner, parent);
    emitRebound(inner);
    if (ctx.unit.needsInstance) ctx.writer.line('r.endInstance(self, around);');
    if (keys !== undefined) ctx.writer.line(`r.resume(${keys}, suspended);`);
    ctx.writer.line('r.leave();');
    ctx.writer.line('return o;');
  };
  ctx.writer.block(head, emitContent, tail);
}

// ------------------------------------------------------------------------------------------- the blocks

/** The context for blocks below a layout. It hides nothing: emitParent has removed the hidden variables. */
function extending(ctx: EmitContext, nodes: readonly Node[]): EmitContext {
  if (!nodes.some((node) => node.type === 'Extends')) return ctx;
  return { ...ctx, variant: { ...ctx.variant, isolated: false } };
}

/** Writes the blocks of this template for every known outlet. A block may hold further outlets. */
function emitBlockFunctions(ctx: EmitContext, definitions: Definitions['blocks']): readonly string[] {
  const entries: string[] = [];
  // The loop also visits outlets that are added while it runs.
  for (const [key, outlet] of ctx.unit.outlets) {
    const definition = definitions.get(outlet.block);
    if (definition) entries.push(`[${literal(key)}, ${emitBlockFunction(ctx, definition, outlet)}]`);
  }
  return entries;
}

function emitBlockFunction(ctx: EmitContext, node: Block, outlet: BlockOutlet): string {
  const name = freshName(ctx, `block_${node.name}`);
  const { scope, params } = parameterScope(ctx, outlet.names);
  const { head, tail } = blockFunction(ctx, name, ['r', 'c', 'B', ...params]);
  const inner = {
    ...ctx,
    scope: new Scope(scope),
    autoescape: outlet.autoescape,
    superOf: node.name,
    fill: undefined,
    rebound: new Map<string, string>(),
  };
  ctx.writer.block(
    head,
    () => {
      ctx.writer.line(ctx.variant.async ? 'let o = "", t;' : 'let o = "";', node.start);
      if (ctx.unit.needsInstance) ctx.writer.line('const instance = r.instanceOf(self);');
      declareAssigned(inner, node.body, { ...ctx, scope });
      emitBody(inner, node.body);
      emitRebound(inner);
      ctx.writer.line('return o;');
    },
    tail,
    node.start,
  );
  return name;
}

/** Blocks of a template with a layout are eager, because most are output. Most blocks of a layout are not. */
function blockFunction(ctx: EmitContext, name: string, params: readonly string[]) {
  const isShown = ctx.facts.dependencies.some(({ kind }) => kind === 'extends');
  return isShown
    ? eagerFunction(ctx, `const ${name} =`, params)
    : { head: functionHead(ctx, name, params), tail: '}' };
}
