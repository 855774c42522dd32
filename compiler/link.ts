/**
 * Linking: from names to functions that call each other.
 *
 * Calls from one unit of generated code to another go through cells that are filled when first called; so circles are
 * harmless, and what is never reached is never compiled. A template that extends another gets a block table laid over
 * its layout's: for each place, the definitions from the most derived to the layout's own.
 *
 * Compiled code depends on content only and stays. Links depend on which name leads to which source: `refresh` looks
 * whether any of that has changed and drops all links if so; linking anew costs microseconds per unit.
 */
import { errorAt, type TemplateError } from '../grammar/errors.ts';
import { type Reference, type Site, siteKey, type Variant, variantKey } from './emit/context.ts';
import { createLibrary, type Library, type LibraryOptions } from './library.ts';
import type { Loaded } from './loaded.ts';
import {
  BlockTable,
  type Cell,
  type CompiledFunction,
  createUnits,
  type Unit,
  type UnitFunctions,
  type Units,
} from './units.ts';

export interface Linked {
  readonly loaded: Loaded;
  readonly run: CompiledFunction;
  readonly table: BlockTable;
  /** Absent if there are none. */
  readonly macros: ReadonlyMap<string, CompiledFunction> | undefined;
}

export interface LinkerOptions extends LibraryOptions {
  /** Whether the output of a template that a render begins with is escaped. */
  readonly autoescape: boolean;
  /** Told when a render, by its state, calls a template for the first time since it was linked anew. */
  onLink(state: unknown): void;
  /** What generated code finds under the helper names. */
  readonly helpers: unknown;
}

export interface Linker
  extends Pick<Library, 'source' | 'named' | 'reachOf' | 'refresh' | 'counts'>,
    Pick<Units, 'locate'> {
  /** The code of a template that a render begins with. @throws TemplateError */
  root(loaded: Loaded): Linked;
  /** The code of a variant, ready to run. @throws TemplateError */
  link(loaded: Loaded, variant: Variant): Linked;
  /**
   * The block table for a template whose layout is only known now, and for all that extend it.
   * @param chain those templates, most derived first. @throws TemplateError
   */
  tableUnder(chain: readonly Loaded[], parent: Loaded, variant: Variant): BlockTable;
}

/**
 * A layout is linked once more for each further place that templates below give its blocks, and each of those may give
 * places to the layouts above it: what takes more than this would take forever.
 */
const maxLinksAtOnce = 500;

export interface LinkedUnit extends Linked {
  /** Places of blocks in the template itself, or asked for besides. */
  readonly ownSites: readonly Site[];
  readonly layout: LinkedUnit | undefined;
  /** Those and the places in its layouts, worked out for the first template below it. */
  allSites: readonly Site[] | undefined;
}

export function createLinker(options: LinkerOptions): Linker {
  const library = createLibrary(options);
  const { unitOf, locate } = createUnits(options, library);
  /** What is being linked, and how many links that took so far, those of its layouts included. */
  let linking: { readonly asked: Loaded; made: number } | undefined;

  function root(loaded: Loaded): Linked {
    loaded.root ??= link(loaded, plainVariant(library.reach(loaded).async, options.autoescape));
    return loaded.root;
  }

  function link(
    loaded: Loaded,
    variant: Variant,
    extraSites: readonly Site[] = [],
    below: readonly Loaded[] = [],
  ): LinkedUnit {
    return linkedOnce(loaded, variantKey(variant, extraSites), () => {
      const parent = parentOf(loaded, below);
      if (parent === undefined) return linkAlone(loaded, variant, extraSites);
      const layout = (sites: readonly Site[]) =>
        link(parent, layoutVariant(variant), [...extraSites, ...sites], [...below, loaded]);
      return linkOver(loaded, layout, variant);
    });
  }

  function linkedOnce(loaded: Loaded, key: string, make: () => LinkedUnit): LinkedUnit {
    const known = loaded.links.get(key);
    if (known) return known;
    const outermost = linking === undefined;
    linking ??= { asked: loaded, made: 0 };
    linking.made += 1;
    if (linking.made > maxLinksAtOnce)
      throw errorAt(linking.asked, 0, 'its layouts place the blocks of each other in too many ways');
    try {
      const linked = make();
      loaded.links.set(key, linked);
      return linked;
    } finally {
      if (outermost) linking = undefined;
    }
  }

  function tableUnder(chain: readonly Loaded[], parent: Loaded, variant: Variant): BlockTable {
    const [first, ...rest] = chain;
    if (first === undefined) throw new Error('A layout without a template below it');
    if (chain.includes(parent)) throw extendsCircle(first, [...chain, parent], 0);
    const key = JSON.stringify(['under', variant, ...rest.map(({ name }) => name), parent.name]);
    const linked = linkedOnce(first, key, () => {
      const over = (above: (sites: readonly Site[]) => LinkedUnit, loaded: Loaded) => {
        return (sites: readonly Site[]) => linkOver(loaded, (own) => above([...sites, ...own]), variant);
      };
      const top = (sites: readonly Site[]) => link(parent, layoutVariant(variant), sites, chain);
      return chain.toReversed().reduce(over, top)([]);
    });
    return linked.table;
  }

  function linkAlone(loaded: Loaded, variant: Variant, extraSites: readonly Site[]): LinkedUnit {
    const unit = unitOf(loaded, variant, extraSites);
    return linkedUnit(loaded, instantiate(unit, loaded), [...extraSites, ...unit.ownSites], undefined);
  }

  /** @param layoutFor links what is above, written for further places too if asked */
  function linkOver(
    loaded: Loaded,
    layoutFor: (sites: readonly Site[]) => LinkedUnit,
    variant: Variant,
  ): LinkedUnit {
    let layout = layoutFor([]);
    const unit = unitOf(loaded, variant, sitesOf(layout));
    // Places inside this template's own blocks, for blocks that are defined above as well: the layouts must be
    // written for those places too.
    const shared = unit.ownSites.filter((site) => definesBlock(layout, site.block));
    if (shared.length > 0) layout = layoutFor(shared);
    return linkedUnit(loaded, instantiate(unit, loaded), unit.ownSites, layout);
  }

  function parentOf(loaded: Loaded, below: readonly Loaded[]): Loaded | undefined {
    const dependency = loaded.facts().dependencies.find(({ kind }) => kind === 'extends');
    if (dependency === undefined || dependency.name === null) return undefined;
    const parent = library.named(dependency.name);
    if (parent === undefined) return undefined;
    if (parent === loaded || below.includes(parent))
      throw extendsCircle(loaded, [...below, loaded, parent], dependency.offset);
    return parent;
  }

  function instantiate(unit: Unit, loaded: Loaded): UnitFunctions {
    return unit.factory(options.helpers, unit.references.map(createCell), loaded);
  }

  /** A cell that links what it stands for when it is called the first time. */
  function createCell(reference: Reference): Cell {
    const cell: Cell = {
      table: undefined,
      run: (...args) => {
        options.onLink(args[0]);
        if (reference.kind === 'macro') {
          cell.run = macroOf(reference);
          return cell.run(...args);
        }
        const linked = link(required(reference.template), reference.variant);
        cell.run = linked.run;
        cell.table = linked.table;
        const [state, context, table, ...values] = args;
        return linked.run(state, context, table ?? linked.table, ...values);
      },
    };
    return cell;
  }

  function macroOf(reference: Reference & { kind: 'macro' }): CompiledFunction {
    const linked = link(required(reference.template), plainVariant(reference.async));
    const macro = linked.macros?.get(reference.macro);
    if (macro === undefined) throw new Error(`"${reference.template}" has no macro "${reference.macro}"`);
    return macro;
  }

  function required(name: string): Loaded {
    const loaded = library.named(name);
    if (loaded === undefined) throw new MissingTemplate(name);
    return loaded;
  }

  const { source, named, reachOf, refresh, counts } = library;
  return { source, named, root, reachOf, link, tableUnder, refresh, locate, counts };
}

/** A literal template name that leads nowhere, met while rendering. */
export class MissingTemplate extends Error {
  constructor(name: string) {
    super(`there is no snippet "${name}"`);
  }
}

function linkedUnit(
  loaded: Loaded,
  { body, blocks, macros }: UnitFunctions,
  ownSites: readonly Site[],
  layout: LinkedUnit | undefined,
): LinkedUnit {
  const table = new BlockTable(loaded, blocks, layout?.table);
  return { loaded, run: body, macros, table, ownSites, layout, allSites: undefined };
}

/** Every place at which blocks are output, in a template and its layouts; each once. */
function sitesOf(linked: LinkedUnit): readonly Site[] {
  linked.allSites ??= joinedSites(linked);
  return linked.allSites;
}

function joinedSites({ ownSites, layout }: LinkedUnit): readonly Site[] {
  if (layout === undefined) return ownSites;
  const above = sitesOf(layout);
  const known = new Set(above.map(siteKey));
  return [...above, ...ownSites.filter((site) => !known.has(siteKey(site)))];
}

function definesBlock({ loaded, layout }: LinkedUnit, name: string): boolean {
  return loaded.facts().blocks.includes(name) || (layout !== undefined && definesBlock(layout, name));
}

/** Layouts are called without names: what is bound below has gone into the context. */
function layoutVariant({ autoescape, async }: Variant): Variant {
  return { names: [], autoescape, isolated: false, async };
}

/** The variant of a template that is rendered or imported from by itself. */
export function plainVariant(async: boolean, autoescape = true): Variant {
  return { names: [], autoescape, isolated: false, async };
}

function extendsCircle(loaded: Loaded, chain: readonly Loaded[], offset: number): TemplateError {
  return errorAt(
    loaded,
    offset,
    `a layout cannot extend itself: ${chain.map(({ name }) => name).join(' > ')}`,
  );
}
