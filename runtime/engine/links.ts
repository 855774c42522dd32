/** Templates whose names are known only while rendering: how generated code reaches the linker. */
import type { Variant } from '../../compiler/emit/context.ts';
import { type Linked, type Linker, plainVariant } from '../../compiler/link.ts';
import type { Loaded } from '../../compiler/loaded.ts';
import { resolveName } from '../../grammar/names.ts';
import { renderBlocks } from './blocks.ts';
import { TemplateFault } from './faults.ts';
import { nameIn } from './lookup.ts';
import type { MacroCall, RenderLinks } from './scope.ts';
import { shortText } from './state.ts';

export function createRenderLinks(linker: Linker): RenderLinks {
  const find = (name: unknown, from: unknown): Loaded => {
    for (const candidate of Array.isArray(name) ? name : [name]) {
      const text = nameIn(candidate);
      const loaded =
        typeof text !== 'string' ? undefined : linker.named(resolveName(text, loadedOf(from).name));
      if (loaded !== undefined) return loaded;
    }
    throw new TemplateFault(`there is no snippet "${shortText(name)}"`);
  };
  return {
    renderNamed(state, context, name, from, variant) {
      const { run, table } = linker.link(find(name, from), variantOf(variant));
      return run(state, context, table);
    },
    renderBlocks(state, context, tree, _self, variant) {
      return renderBlocks(state, context, tree, (name) => {
        const loaded = linker.named(name);
        return loaded && linker.link(loaded, variantOf(variant));
      });
    },
    extendNamed(state, context, table, self, name, variant) {
      const parent = find(name, self);
      const loaded = loadedOf(self);
      const templates = table.chain();
      const chain = templates.slice(0, templates.indexOf(loaded) + 1);
      const under = linker.tableUnder(chain, parent, variantOf(variant));
      return linker.link(parent, variantOf(variant)).run(state, context, under);
    },
    macroNamed(_state, name, macro, from, async) {
      const loaded = find(name, from);
      const linked = linker.link(loaded, plainVariant(async));
      return macroCall(loaded, linked, macro);
    },
  };
}

function macroCall(loaded: Loaded, linked: Linked, macro: string): MacroCall {
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

// Generated code hands these back as it got them; they are the engine's own objects.
function loadedOf(self: unknown): Loaded {
  return self as Loaded;
}

function variantOf(variant: unknown): Variant {
  return variant as Variant;
}
