/** Everything generated code calls, under the names emit uses. */
import type { HelperName } from '../../compiler/emit/helpers.ts';
import type { CompilerOptions } from '../../compiler/options.ts';
import type { BlockTable, CompiledFunction } from '../../compiler/units.ts';
import { escape as escapeValue } from '../escape.ts';
import { SafeString } from '../safe.ts';
import { toText } from '../text.ts';
import { extend, globalsOf } from './context.ts';
import { TemplateFault } from './faults.ts';
import { get, listOf, mapOf, nameIn, orEmpty, orNone, own, unpack } from './lookup.ts';
import { hasChanged, LoopObject, loopMemory } from './loop.ts';
import { lorem } from './lorem.ts';
import * as operators from './operators.ts';
import type { RenderLinks } from './scope.ts';
import { Slots, slotContent, slotOrField } from './slots.ts';
import type { LoopMemory } from './state.ts';
import { checkTimeout, queryString, regroup, widthRatio } from './tags.ts';

type Given = Pick<CompilerOptions, 'filters' | 'functions' | 'globals'>;

/** The helpers of one engine: what all engines share, and what its options say. */
export function createHelpers({ filters, functions, globals }: Given): Helpers {
  return Object.assign(Object.create(shared), {
    filters,
    functions,
    globalsOf: (context: object) => globalsOf(context, globals),
  } satisfies Pick<Helpers, OwnName>);
}

type Helpers = Readonly<Record<HelperName, unknown>>;
type OwnName = 'filters' | 'functions' | 'globalsOf';

const shared: Omit<Helpers, OwnName> = {
  ...operators,
  SafeString,
  Slots,
  fillSlot: Slots.fill,
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
  loopMemory,
  hasChanged,
  regroup,
  widthRatio,
  lorem,
  queryString,
  checkTimeout,
  spaceless,
  slotOrField,
  slotContent,
  superBlock,
  extend,
  nameIn,
  renderBlocks: (...args: Parameters<RenderLinks['renderBlocks']>) => args[0].links.renderBlocks(...args),
  renderNamed: (...args: Parameters<RenderLinks['renderNamed']>) => args[0].links.renderNamed(...args),
  extendNamed: (...args: Parameters<RenderLinks['extendNamed']>) => args[0].links.extendNamed(...args),
  macroNamed: (...args: Parameters<RenderLinks['macroNamed']>) => args[0].links.macroNamed(...args),
  isPromise: (value: unknown) => value instanceof Promise,
  fail(reason: string) {
    throw new TemplateFault(reason);
  },
};

/** Django's rule: white space between tags goes, that inside tags and texts stays. */
function spaceless(html: string): string {
  return html.trim().replace(/>\s+</g, '><');
}

function superBlock(table: BlockTable, key: string, level: number): CompiledFunction {
  const definition = table.get(key)?.[level + 1];
  if (definition === undefined)
    throw new TemplateFault('{{ block.super }} in a block that no layout above defines');
  return definition;
}
