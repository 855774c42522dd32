/** Everything that generated code calls, under the names that emit uses. */
import type {
  BlockTable,
  CompiledFunction,
  CompilerOptions,
  HelperName,
  Linked,
} from '../../compiler/index.ts';
import type { FilterDefinition } from '../filters/filter.ts';
import { escape as escapeValue } from '../values/escape.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import { extend, finishCall, globalsOf } from './context.ts';
import { TemplateFault } from './faults.ts';
import { get, listOf, mapOf, nameIn, orEmpty, orNone, own, unpack } from './lookup.ts';
import { hasChanged, hasChangedOutside, isOther, LoopObject } from './loop.ts';
import { lorem } from './lorem.ts';
import * as operators from './operators.ts';
import { createPrinters } from './printers.ts';
import type { LoopMemory } from './render-memory.ts';
import type { RenderLinks } from './scope.ts';
import { Fill, givenContent, Slots, slotContent, slotMark, slotOrField, unlessBlank } from './slots.ts';
import type { RenderState } from './state.ts';
import { checkTimeout, queryString, regroup, regroupLater, widthRatio } from './tags.ts';

type HelperSources = Pick<CompilerOptions, 'functions' | 'globals'> & {
  readonly filters: ReadonlyMap<string, FilterDefinition>;
};

/** The helpers of one engine: those that all engines share, and those made from its options. */
export function createHelpers({ filters, functions, globals }: HelperSources): Helpers {
  return Object.assign(Object.create(shared), {
    filters,
    functions,
    globalsOf: (context: object) => globalsOf(context, globals),
    ...createPrinters(filters),
  } satisfies Pick<Helpers, OwnName>);
}

export type Helpers = Readonly<Record<HelperName, unknown>>;
type OwnName = 'filters' | 'functions' | 'globalsOf' | 'printer' | 'changer';

const shared: Omit<Helpers, OwnName> = {
  ...operators,
  SafeString,
  Slots,
  Fill,
  unlessBlank,
  NONE: Object.freeze(Object.create(null)),
  escape: escapeValue,
  text: toText,
  orEmpty,
  orNone,
  get,
  own,
  listOf,
  mapOf,
  unpack,
  loopObject: (index: number, length: number, parent: unknown, memory: LoopMemory) =>
    new LoopObject(index, length, parent, memory),
  hasChanged,
  isOther,
  hasChangedOutside,
  regroup,
  regroupLater,
  widthRatio,
  lorem,
  queryString,
  checkTimeout,
  spaceless,
  givenContent,
  slotOrField,
  slotContent,
  slotMark,
  superBlock,
  extend,
  nameIn,
  runIn: (state: RenderState, context: object, { run, table }: Pick<Linked, 'run' | 'table'>) =>
    finishCall(state, context, run(state, context, table)),
  regionValue: (state: RenderState, name: string, type: string) =>
    state.charge(state.regions?.value(name, type)),
  regionMark: (state: RenderState, name: string, isOpening: boolean) =>
    state.regions?.mark(name, isOpening) ?? '',
  renderBlocks: (...args: Parameters<RenderLinks<RenderState>['renderBlocks']>) =>
    args[0].links.renderBlocks(...args),
  renderNamed: (...args: Parameters<RenderLinks<RenderState>['renderNamed']>) =>
    args[0].links.renderNamed(...args),
  extendNamed: (...args: Parameters<RenderLinks<RenderState>['extendNamed']>) =>
    args[0].links.extendNamed(...args),
  macroNamed: (...args: Parameters<RenderLinks<RenderState>['macroNamed']>) =>
    args[0].links.macroNamed(...args),
  isPromise: (value: unknown) => value instanceof Promise,
  fail(reason: string) {
    throw new TemplateFault(reason);
  },
};

/** As in Django: white space between tags is removed, white space inside tags and texts stays. */
function spaceless(html: string): string {
  return html.trim().replace(/>\s+</g, '><');
}

function superBlock(table: BlockTable, self: unknown, key: string): CompiledFunction {
  const definition = table.getAbove(self, key);
  if (definition !== undefined) return definition;
  // As in Django: nothing above a block of the topmost layout, but a mistake if there is no layout at all.
  if (table.chain().length > 1) return nothing;
  throw new TemplateFault('{{ block.super }} in a block that no layout above defines');
}

function nothing(): string {
  return '';
}
