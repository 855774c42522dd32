/**
 * The data of the linker: templates with facts that are computed when first needed, their units of generated
 * code, and the block tables that layouts and pages share.
 */
import type { Template } from '../../grammar/ast.ts';
import { errorAt } from '../../grammar/errors.ts';
import { splitName } from '../../grammar/names.ts';
import { parse } from '../../grammar/parse.ts';
import { analyse } from '../analyse.ts';
import { compilerVersion, type DiskCache, digest } from '../cache.ts';
import { check } from '../check.ts';
import type { UnitCode } from '../emit/index.ts';
import type { PackedPositions } from '../emit/positions.ts';
import type { BlockOutlet } from '../emit/variant.ts';
import type { Facts } from '../facts.ts';
import type { CompilerOptions } from '../options.ts';
import { SmallMap } from './small-map.ts';

export interface CompileCounts {
  parsed: number;
  emitted: number;
  restored: number;
}

/** The state that all templates of an engine share. */
export interface Compilation {
  readonly options: CompilerOptions;
  /** Undefined if nothing is kept on disk. */
  readonly disk: DiskCache | undefined;
  readonly counts: CompileCounts;
}

export class LoadedTemplate {
  readonly name: string;
  readonly source: string;
  /** Whether other templates can refer to the template by its name. The text of a page has no name. */
  readonly named: boolean;
  /** The linked code for a render that begins with this template. */
  root: Linked | undefined;
  /** Whether a cycle here or in a template in reach may change a variable of the render context; known with `root`. */
  changesContext = false;
  /** Names of all templates that may decide the output of this one. */
  reached: ReadonlySet<string> | undefined;
  /** Linked code by variant. Dropped when the links are dropped. */
  readonly links = new SmallMap<LinkedUnit>();
  /** Units by everything that their code depends on besides the source. */
  readonly units = new SmallMap<Unit>();
  readonly #compilation: Compilation;
  #memoryKeys: Map<string, object> | undefined;
  #tree: Template | undefined;
  #facts: Facts | undefined;
  #isChecked = false;

  constructor(name: string, source: string, named: boolean, compilation: Compilation) {
    this.name = name;
    this.source = source;
    this.named = named;
    this.#compilation = compilation;
  }

  /** @throws TemplateError if the source does not parse */
  facts(): Facts {
    this.#facts ??= this.#storedFacts() ?? this.#analysed();
    return this.#facts;
  }

  /**
   * The tree of a template that passed all checks. It is not kept: most templates are emitted once, and a
   * tree takes more memory than everything else of a template. @throws TemplateError
   */
  checked(): Template {
    const tree = this.#treeOf();
    if (!this.#isChecked) {
      const [finding] = check(tree, this.facts(), this.#compilation.options);
      if (finding) throw finding;
      this.#isChecked = true;
    }
    this.#tree = undefined;
    return tree;
  }

  /** The key under which a tag of this template keeps its memory, by kind and offset of the tag. */
  memoryKey(tag: string): object {
    this.#memoryKeys ??= new Map();
    const known = this.#memoryKeys.get(tag);
    if (known !== undefined) return known;
    const made = { tag };
    this.#memoryKeys.set(tag, made);
    return made;
  }

  /** Drops all links of the template. */
  unlink(): void {
    this.root = undefined;
    this.changesContext = false;
    this.reached = undefined;
    this.links.clear();
  }

  #treeOf(): Template {
    if (this.#tree === undefined) {
      this.#compilation.counts.parsed += 1;
      this.#tree = partOf(parse(this.source, this.name));
    }
    return this.#tree;
  }

  #storedFacts(): Facts | undefined {
    // The cast is safe: this compiler version wrote the entry under a key of the source, with a checksum.
    return this.#compilation.disk?.read(this.#factsKey()) as Facts | undefined;
  }

  #analysed(): Facts {
    const facts = analyse(this.#treeOf());
    this.#compilation.disk?.write(this.#factsKey(), facts, this.named);
    return facts;
  }

  #factsKey(): string {
    return digest('facts', compilerVersion(), this.named ? this.name : '', this.source);
  }
}

/** For a name with a partial: the body of the partial, with the macros and imports of the whole template. */
function partOf(tree: Template): Template {
  const { template, partial } = splitName(tree.name);
  if (partial === undefined) return tree;
  const body = tree.partials.get(partial);
  if (body === undefined) throw errorAt(tree, 0, `"${template}" has no {% partialdef ${partial} %}`);
  return {
    ...tree,
    body: [...tree.body.filter(({ type }) => type === 'Macro' || type === 'Import'), ...body],
  };
}

// ------------------------------------------------------------------------------------------- generated code

/** Generated code: `(state, context, table, ...values)`. Only generated code knows the further arguments. */
export type CompiledFunction = (...args: unknown[]) => string | Promise<string>;

/** A unit in memory. The text of the code is not kept here, because the JavaScript engine keeps it. */
export interface Unit {
  readonly id: number;
  readonly loaded: LoadedTemplate;
  readonly key: string;
  readonly sizeBytes: number;
  readonly helpers: UnitCode['helpers'];
  readonly references: UnitCode['references'];
  readonly ownOutlets: UnitCode['ownOutlets'];
  readonly positions: PackedPositions;
  /** Takes the helpers after the template. A unit whose body is its only function gives that alone. */
  readonly factory: (
    cells: readonly Cell[],
    self: LoadedTemplate,
    ...helpers: readonly unknown[]
  ) => CompiledFunction | UnitFunctions;
}

export interface UnitFunctions {
  readonly body: CompiledFunction;
  /** Absent if there are none. */
  readonly blocks?: ReadonlyMap<string, CompiledFunction>;
  readonly macros?: ReadonlyMap<string, CompiledFunction>;
}

export interface Cell {
  run: CompiledFunction;
  table: BlockTable | undefined;
}

// ----------------------------------------------------------------------------------------------- linked code

export interface Linked {
  readonly loaded: LoadedTemplate;
  readonly run: CompiledFunction;
  readonly table: BlockTable;
  /** Absent if there are none. */
  readonly macros: ReadonlyMap<string, CompiledFunction> | undefined;
}

/** The code of a template that is called with values by position, as a block is. */
export interface ComponentCode {
  readonly linked: Linked;
  /**
   * What the code takes after state, context and table: positions of parameters, -1 for the variable `block`, -2 for
   * `slots`. `context`: it reads them from a context of its own.
   */
  readonly takes: readonly number[] | 'context';
  /** Whether its output always has visible text. */
  readonly showsText: boolean;
}

export interface LinkedUnit extends Linked {
  /** Outlets in the template itself, and further outlets that it was linked for. */
  readonly ownOutlets: readonly BlockOutlet[];
  readonly layout: LinkedUnit | undefined;
  /** Own outlets and outlets of the layouts; computed when the first template below this one is linked. */
  allOutlets: readonly BlockOutlet[] | undefined;
}

/**
 * The definitions of blocks by outlet. The table of a template holds only its own blocks. All others are
 * looked up in the table of its layout, so a page pays only for its own blocks.
 */
export class BlockTable {
  readonly #loaded: LoadedTemplate;
  readonly #layout: BlockTable | undefined;
  readonly #definitions: UnitFunctions['blocks'];

  constructor(
    loaded: LoadedTemplate,
    definitions: ReadonlyMap<string, CompiledFunction> | undefined,
    layout: BlockTable | undefined,
  ) {
    this.#loaded = loaded;
    this.#layout = layout;
    this.#definitions = definitions;
  }

  /** The most derived definition. */
  get(key: string): CompiledFunction | undefined {
    return this.#definitions?.get(key) ?? this.#layout?.get(key);
  }

  /** The most derived definition in the layouts above a template of this table. */
  getAbove(loaded: unknown, key: string): CompiledFunction | undefined {
    return this.#loaded === loaded ? this.#layout?.get(key) : this.#layout?.getAbove(loaded, key);
  }

  /** The templates with blocks in the table, most derived first. */
  chain(): readonly LoadedTemplate[] {
    return [this.#loaded, ...(this.#layout?.chain() ?? [])];
  }
}
