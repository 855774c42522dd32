/**
 * Linking: from names to functions that call each other.
 *
 * Units of generated code call each other through cells. A cell is filled at its first call. So circles are
 * harmless, and a template that is never reached is never compiled. A template with a layout gets a block
 * table on top of the table of the layout: for each outlet, the definitions from the most derived one to that
 * of the layout.
 *
 * Compiled code depends only on content, so it stays. Links also depend on the source behind each name:
 * `refresh` drops all links if any source has changed. Linking anew costs microseconds per unit.
 */

import type { Template } from '../../grammar/ast.ts';
import { errorAt, type TemplateError } from '../../grammar/errors.ts';
import type { HelperName } from '../emit/helpers.ts';
import { type BlockOutlet, type TemplateLookup, type Variant, variantKey } from '../emit/variant.ts';
import type { Facts } from '../facts.ts';
import { hasNames, type TransitiveFacts } from '../transitive-facts.ts';
import { type CellLinks, createCell } from './cells.ts';
import { Components } from './components.ts';
import { Library, type LibraryOptions } from './library.ts';
import {
  BlockTable,
  type CompileCounts,
  type Linked,
  type LinkedUnit,
  type LoadedTemplate,
  type Unit,
  type UnitFunctions,
} from './model.ts';
import { definesBlock, joinOutlets, listOutlets, missingIn, passedUp } from './outlets.ts';
import { type Location, Units } from './units.ts';
import { layoutVariant, plainVariant } from './variants.ts';

export interface LinkerOptions extends LibraryOptions {
  /** Whether autoescape is on in a template that a render begins with. */
  readonly autoescape: boolean;
  /** Called when a render calls a cell that is not filled yet; `state` is the state of the render. */
  onLink(state: unknown): void;
  /** The helpers of generated code. Those that no template needs may be absent. */
  readonly helpers: { readonly [Name in HelperName]?: unknown };
}

/**
 * Limit of links for one template. A layout is linked once more for outlets that a template below adds for
 * its blocks, and may then add outlets for the layouts above. Without a limit this could go on forever.
 */
const maxLinksAtOnce = 2_000;

/**
 * Limit of outlets that a layout is written for. With two outlets per level, each with variables of its own,
 * their number would double with each level; with one, it grows by one.
 */
const maxOutlets = 500;

/** The templates of an engine as functions that call each other. */
export class Linker implements CellLinks {
  readonly #options: LinkerOptions;
  readonly #library: Library;
  readonly #units: Units;
  /** Made for the first block: most templates have none. */
  #components: Components | undefined;
  /** The template that is being linked, and the number of links so far, including those of its layouts. */
  #linking: { readonly asked: LoadedTemplate; made: number } | undefined;

  constructor(options: LinkerOptions) {
    this.#options = options;
    this.#library = new Library(options);
    this.#units = new Units(options, this.#library);
  }

  onLink(state: unknown): void {
    this.#options.onLink(state);
  }

  /** How many templates were parsed, emitted as code, and taken from the disk cache. */
  get counts(): CompileCounts {
    return this.#library.counts;
  }

  /** A template without a name: a page's own text. */
  source(text: string, name: string): LoadedTemplate {
    return this.#library.source(text, name);
  }

  /** Whether a template without a name is in memory. */
  keepsSource(text: string): boolean {
    return this.#library.keepsSource(text);
  }

  /** Drops the code of a template without a name that will hardly be needed again. */
  forget(text: string): void {
    const loaded = this.#library.forget(text);
    if (loaded !== undefined) this.#units.forget(loaded);
  }

  /** A named template, or a partial of one as `name#partial`. */
  named(name: string): LoadedTemplate | undefined {
    return this.#library.named(name);
  }

  /** Grows when links are dropped, because a template has changed. */
  get generation(): number {
    return this.#library.generation;
  }

  /** Names of all templates that a named template may lead to by name, with its own; they need not exist. */
  reachedFrom(name: string): ReadonlySet<string> {
    return this.#library.reachedFrom(name);
  }

  /** All names of templates that may decide the output of a template: the same set until one of them changes. */
  reached(loaded: LoadedTemplate): ReadonlySet<string> {
    return this.#library.reached(loaded);
  }

  /** Facts about a template without a name together with all templates it reaches. */
  reachOf(facts: Facts): TransitiveFacts {
    return this.#library.reachOf(facts);
  }

  /** Answers to the questions that emit may ask about named templates. */
  get surroundings(): TemplateLookup {
    return this.#library.surroundings;
  }

  /** The tree of a named template; undefined if there is none or it has mistakes (reported when saved). */
  treeOf(name: string): Template | undefined {
    try {
      return this.#library.named(name)?.checked();
    } catch {
      return undefined;
    }
  }

  /** Facts of a named template; undefined if there is none or it does not parse. */
  factsOf(name: string): Facts | undefined {
    return this.#library.factsOf(name);
  }

  /** Checks whether any name has another source by now, and drops all links if so. */
  refresh(): void {
    this.#library.refresh();
  }

  /** The template, line and column that a position of generated code was written for. */
  locate(unit: number, line: number, column: number): Location | undefined {
    return this.#units.locate(unit, line, column);
  }

  /** The code of a template that a render begins with. @throws TemplateError */
  root(loaded: LoadedTemplate): Linked {
    return loaded.root ?? this.#linkRoot(loaded);
  }

  #linkRoot(loaded: LoadedTemplate): Linked {
    const { async, rebinds } = this.#library.reach(loaded);
    loaded.root = this.link(loaded, plainVariant(async, this.#options.autoescape));
    loaded.changesContext = hasNames(rebinds);
    return loaded.root;
  }

  /** See {@link Components.codeOf}. */
  component(...args: Parameters<Components['codeOf']>): ReturnType<Components['codeOf']> {
    this.#components ??= new Components(this.#library, (loaded, variant) => this.link(loaded, variant));
    return this.#components.codeOf(...args);
  }

  /** The code of a variant, ready to run. @throws TemplateError */
  link(
    loaded: LoadedTemplate,
    variant: Variant,
    extraOutlets: readonly BlockOutlet[] = [],
    below: readonly LoadedTemplate[] = [],
  ): LinkedUnit {
    return this.#linkedOnce(loaded, variantKey(variant, extraOutlets), () => {
      const parent = this.#parentOf(loaded, below);
      if (parent === undefined) return this.#linkAlone(loaded, variant, extraOutlets);
      const layout = (outlets: readonly BlockOutlet[]) =>
        this.link(parent, layoutVariant(variant), joinOutlets(passedUp(loaded, extraOutlets), outlets), [
          ...below,
          loaded,
        ]);
      return this.#linkOver(loaded, layout, variant, extraOutlets);
    });
  }

  /**
   * The block table for templates below a layout that is known only while rendering.
   * @param chain the templates, most derived first; the last one names the layout. @throws TemplateError
   */
  tableUnder(chain: readonly LoadedTemplate[], parent: LoadedTemplate, variant: Variant): BlockTable {
    const [first, ...rest] = chain;
    if (first === undefined) throw new Error('A layout without a template below it');
    if (chain.includes(parent)) throw extendsCircle(first, [...chain, parent], 0);
    const key = JSON.stringify(['under', variant, ...rest.map(({ name }) => name), parent.name]);
    const linked = this.#linkedOnce(first, key, () => {
      const over = (above: (outlets: readonly BlockOutlet[]) => LinkedUnit, loaded: LoadedTemplate) => {
        return (outlets: readonly BlockOutlet[]) =>
          this.#linkOver(
            loaded,
            (own) => above(joinOutlets(passedUp(loaded, outlets), own)),
            variant,
            outlets,
          );
      };
      const top = (outlets: readonly BlockOutlet[]) =>
        this.link(parent, layoutVariant(variant), outlets, chain);
      return chain.toReversed().reduce(over, top)([]);
    });
    return linked.table;
  }

  #linkedOnce(loaded: LoadedTemplate, key: string, make: () => LinkedUnit): LinkedUnit {
    const known = loaded.links.get(key);
    if (known) return known;
    const outermost = this.#linking === undefined;
    this.#linking ??= { asked: loaded, made: 0 };
    const { asked } = this.#linking;
    this.#linking.made += 1;
    if (this.#linking.made > maxLinksAtOnce) throw tooManyWays(asked);
    try {
      const linked = make();
      loaded.links.set(key, linked);
      return linked;
    } finally {
      if (outermost) this.#linking = undefined;
    }
  }

  #linkAlone(loaded: LoadedTemplate, variant: Variant, extraOutlets: readonly BlockOutlet[]): LinkedUnit {
    const unit = this.#units.unitOf(loaded, variant, extraOutlets);
    const outlets = joinOutlets(extraOutlets, unit.ownOutlets);
    return linkedUnit(loaded, this.#instantiate(unit, loaded), outlets, undefined);
  }

  /**
   * @param layoutFor links the layout, written also for the given outlets
   * @param extraOutlets given by a template below
   */
  #linkOver(
    loaded: LoadedTemplate,
    layoutFor: (outlets: readonly BlockOutlet[]) => LinkedUnit,
    variant: Variant,
    extraOutlets: readonly BlockOutlet[],
  ): LinkedUnit {
    // The layouts must be written for outlets in this template, if a layout defines the block. The blocks of
    // the layouts may then hold further outlets, which this template must be written for.
    let asked: readonly BlockOutlet[] = [];
    for (;;) {
      const layout = layoutFor(asked);
      const above = listOutlets(layout);
      const unit = this.#units.unitOf(loaded, variant, joinOutlets(above, extraOutlets));
      const shared = unit.ownOutlets.filter((outlet) => definesBlock(layout, outlet.block));
      const missing = missingIn(asked, missingIn(above, shared));
      if (missing.length === 0)
        return linkedUnit(loaded, this.#instantiate(unit, loaded), unit.ownOutlets, layout);
      asked = joinOutlets(asked, missing);
      if (asked.length > maxOutlets) throw tooManyWays(this.#linking?.asked ?? loaded);
    }
  }

  #parentOf(loaded: LoadedTemplate, below: readonly LoadedTemplate[]): LoadedTemplate | undefined {
    const dependency = loaded.facts().dependencies.find(({ kind }) => kind === 'extends');
    if (dependency === undefined || dependency.name === null) return undefined;
    const parent = this.#library.named(dependency.name);
    if (parent === undefined) return undefined;
    if (parent === loaded || below.includes(parent))
      throw extendsCircle(loaded, [...below, loaded, parent], dependency.offset);
    return parent;
  }

  #instantiate(unit: Unit, loaded: LoadedTemplate): UnitFunctions {
    const cells = unit.references.map((reference) => createCell(this, reference));
    const { helpers } = this.#options;
    const made = unit.factory(cells, loaded, ...unit.helpers.map((name) => helpers[name]));
    return typeof made === 'function' ? { body: made } : made;
  }
}

function linkedUnit(
  loaded: LoadedTemplate,
  { body, blocks, macros }: UnitFunctions,
  ownOutlets: readonly BlockOutlet[],
  layout: LinkedUnit | undefined,
): LinkedUnit {
  const table = new BlockTable(loaded, blocks, layout?.table);
  return { loaded, run: body, macros, table, ownOutlets, layout, allOutlets: undefined };
}

function tooManyWays(asked: LoadedTemplate): TemplateError {
  return errorAt(asked, 0, 'its layouts place the blocks of each other in too many ways');
}

function extendsCircle(
  loaded: LoadedTemplate,
  chain: readonly LoadedTemplate[],
  offset: number,
): TemplateError {
  return errorAt(
    loaded,
    offset,
    `a layout cannot extend itself: ${chain.map(({ name }) => name).join(' > ')}`,
  );
}
