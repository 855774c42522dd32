/** Calls from generated code to the linker, for templates whose names are known only while rendering. */
import {
  type BlockTable,
  type Linked,
  type Linker,
  type LoadedTemplate,
  plainVariant,
  type Variant,
} from '../../compiler/index.ts';
import { resolveName } from '../../grammar/names.ts';
import { emptyOperand } from '../values/operand.ts';
import { toText } from '../values/text.ts';
import { BlockRender } from './blocks.ts';
import { finishCall } from './context.ts';
import { TemplateFault } from './faults.ts';
import { nameIn } from './lookup.ts';
import type { MacroCall, RenderLinks } from './scope.ts';
import type { RenderState } from './state.ts';

export class LinkerLinks implements RenderLinks<RenderState> {
  readonly #linker: Linker;

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  renderNamed(state: RenderState, context: object, name: unknown, from: unknown, variant: unknown) {
    const { run, table } = this.#linker.link(this.#find(state, name, from), variantOf(variant));
    const output = run(state, context, table);
    // A template that has no use for its instance leaves it.
    state.takeInstance();
    return finishCall(state, context, output);
  }

  renderBlocks(state: RenderState, context: object, tree: unknown, _self: unknown, variant: unknown) {
    return new BlockRender(this.#linker, state, context, variantOf(variant)).tree(tree);
  }

  extendNamed(
    state: RenderState,
    context: unknown,
    table: BlockTable,
    self: unknown,
    name: unknown,
    variant: unknown,
  ) {
    const parent = this.#find(state, name, self);
    const templates = table.chain();
    const chain = templates.slice(0, templates.indexOf(loadedOf(self)) + 1);
    const under = this.#linker.tableUnder(chain, parent, variantOf(variant));
    const { run } = this.#linker.link(parent, variantOf(variant));
    state.enterLayout();
    return run(state, context, under);
  }

  macroNamed(state: RenderState, name: unknown, macro: string, from: unknown, async: boolean) {
    const loaded = this.#find(state, name, from);
    return macroCall(loaded, this.#linker.link(loaded, plainVariant(async)), macro);
  }

  /** @throws TemplateFault if none of the names leads to a template */
  #find(state: RenderState, name: unknown, from: unknown): LoadedTemplate {
    for (const candidate of Array.isArray(name) ? name : [name]) {
      const text = nameIn(candidate);
      if (typeof text !== 'string') continue;
      const resolved = resolveName(text, loadedOf(from).name);
      state.reach(() => this.#linker.reachedFrom(resolved));
      const loaded = this.#linker.named(resolved);
      if (loaded !== undefined) return loaded;
    }
    const empty = emptyOperand(name, 'argument');
    throw new TemplateFault(
      empty === undefined ? `there is no snippet "${shortText(name)}"` : 'the name of a snippet is missing',
      empty,
    );
  }
}

function macroCall(loaded: LoadedTemplate, linked: Linked, macro: string): MacroCall<RenderState> {
  const run = linked.macros?.get(macro);
  const params = loaded.facts().macros.find(({ name }) => name === macro)?.params ?? [];
  if (run === undefined) throw new TemplateFault(`"${loaded.name}" has no macro "${macro}"`);
  return (state, context, args, named) => {
    if (args.length > params.length) throw new TemplateFault(`too many arguments for the macro "${macro}"`);
    for (const name of Object.keys(named)) {
      if (!params.some((param) => param.name === name))
        throw new TemplateFault(`the macro "${macro}" has no parameter "${name}"`);
    }
    return run(
      state,
      context,
      ...params.map((param, index) => (index < args.length ? args[index] : named[param.name])),
    );
  };
}

// Generated code passes these objects of the engine back unchanged, so the type assertions hold.
function loadedOf(self: unknown): LoadedTemplate {
  return self as LoadedTemplate;
}

function variantOf(variant: unknown): Variant {
  return variant as Variant;
}

/** The beginning of a value as text, for error messages. */
function shortText(value: unknown): string {
  return toText(value).slice(0, 100);
}
