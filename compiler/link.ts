/**
 * Linking: from names to functions that call each other.
 *
 * A template is loaded once per source. A variant of it becomes a unit of generated code (from memory, from disk, or
 * emitted), whose calls to other templates go through cells that are filled when first called; so circles are
 * harmless, and what is never reached is never compiled. A template that extends another gets a block table laid
 * over its layout's: for each place, the definitions from the most derived to the layout's own.
 *
 * Compiled code depends on content only and stays. Links depend on which name leads to which source: `refresh` looks
 * whether any of that has changed and drops all links if so; linking anew costs microseconds per unit.
 */
import { Script } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { errorAt, positionAt, type TemplateError } from '../grammar/errors.ts';
import { splitName } from '../grammar/names.ts';
import { compilerVersion, type DiskCache, digest } from './cache.ts';
import type { Reference, Site, Surroundings, Variant } from './emit/context.ts';
import { siteKey } from './emit/context.ts';
import { emitUnit, type UnitCode } from './emit/index.ts';
import { type CompileCounts, createLoaded, type Loaded } from './loaded.ts';
import type { CompilerOptions } from './options.ts';
import { type Reach, reachOf } from './reach.ts';

/** A function of generated code: `(state, context, table, ...values)`. Only generated code knows the rest. */
export type CompiledFunction = (...args: unknown[]) => string | Promise<string>;

/** Definitions of each block place, most derived first. */
export class BlockTable extends Map<string, readonly CompiledFunction[]> {
  /** The templates whose blocks are in it, most derived first. */
  readonly chain: readonly Loaded[];

  constructor(entries: Iterable<readonly [string, readonly CompiledFunction[]]>, chain: readonly Loaded[]) {
    super(entries);
    this.chain = chain;
  }
}

export interface Linked {
  readonly loaded: Loaded;
  readonly run: CompiledFunction;
  readonly table: BlockTable;
  readonly macros: ReadonlyMap<string, CompiledFunction>;
}

export interface LinkerOptions extends CompilerOptions {
  /** Source of a named template. */
  load(name: string): string | undefined;
  readonly disk: DiskCache;
  /** What generated code finds under the helper names. */
  readonly helpers: unknown;
  /** Bytes of source and code kept in memory for templates without a name. */
  readonly maxBytes: number;
}

export interface Linker {
  /** A template without a name: a page's own text. @throws TemplateError */
  source(source: string, name: string): Loaded;
  /** A named template. */
  named(name: string): Loaded | undefined;
  /** The code of a template that a render begins with. @throws TemplateError */
  root(loaded: Loaded, autoescape: boolean): Linked;
  /** The code of a variant, ready to run. @throws TemplateError */
  link(loaded: Loaded, variant: Variant): Linked;
  /**
   * The block table for a template whose layout is only known now, and for all that extend it.
   * @param chain those templates, most derived first. @throws TemplateError
   */
  tableUnder(chain: readonly Loaded[], parent: Loaded, variant: Variant): BlockTable;
  /** What is said of a template together with all it reaches. @throws TemplateError */
  reach(loaded: Loaded): Reach;
  /** Looks whether any name now leads to another source. */
  refresh(): void;
  /** Where in which template a position of generated code came from. */
  locate(unit: number, line: number, column: number): Location | undefined;
  readonly counts: Readonly<CompileCounts>;
}

export interface Location {
  readonly loaded: Loaded;
  readonly line: number;
  readonly column: number;
}

interface Unit {
  readonly id: number;
  readonly code: UnitCode;
  readonly factory: (helpers: unknown, cells: readonly Cell[], self: Loaded) => UnitFunctions;
}

interface UnitFunctions {
  readonly body: CompiledFunction;
  readonly blocks: ReadonlyMap<string, CompiledFunction>;
  readonly macros: ReadonlyMap<string, CompiledFunction>;
}

interface Cell {
  run: CompiledFunction;
  table: BlockTable | undefined;
}

interface LinkedUnit extends Linked {
  readonly sites: readonly Site[];
  /** Names of all blocks defined here or above. */
  readonly blockNames: ReadonlySet<string>;
}

export function createLinker(options: LinkerOptions): Linker {
  const counts: CompileCounts = { parsed: 0, emitted: 0, restored: 0 };
  const optionsDigest = digest(
    JSON.stringify([
      [...options.filters].map(([name, { args, returns }]) => [name, args, returns]),
      [...options.functions].map(([name, signature]) => [name, signature.async === true]),
      [...options.globals],
    ]),
  );
  const named = new Map<string, Loaded | undefined>();
  const sources = new LRUCache<string, Loaded>({
    maxSize: options.maxBytes,
    sizeCalculation: (_, source) => source.length * 2 + 2_000,
  });
  const units = new LRUCache<string, Unit>({
    maxSize: options.maxBytes,
    sizeCalculation: (unit) => unit.code.code.length * 3 + 2_000,
    dispose: (unit) => unitsById.delete(unit.id),
  });
  const unitsById = new Map<number, { unit: Unit; loaded: Loaded }>();
  const reaches = new Map<string, Reach>();
  let links = new WeakMap<Loaded, Map<string, LinkedUnit>>();
  let nextUnitId = 1;
  let generation = 1;

  function sourceOf(name: string): string | undefined {
    return options.load(splitName(name).template);
  }

  function load(name: string): Loaded | undefined {
    const known = named.get(name);
    if (known !== undefined || named.has(name)) return known;
    const source = sourceOf(name);
    const loaded =
      source === undefined
        ? undefined
        : createLoaded({ name, source, named: true }, options, options.disk, counts);
    named.set(name, loaded);
    return loaded;
  }

  function factsOf(name: string) {
    try {
      return load(name)?.facts();
    } catch {
      // A template that does not parse says so itself when it is rendered.
      return undefined;
    }
  }

  function reach(loaded: Loaded): Reach {
    const known = loaded.named ? reaches.get(loaded.name) : undefined;
    return known ?? reachOf(loaded.facts(), factsOf, options, reaches);
  }

  const surroundings: Surroundings = {
    reads(name) {
      const loaded = load(name);
      if (loaded === undefined) return undefined;
      return factsOf(name) === undefined ? new Set() : reach(loaded).reads;
    },
    macroParams(name, macro) {
      return factsOf(name)
        ?.macros.find((candidate) => candidate.name === macro)
        ?.params.map((param) => param.name);
    },
  };

  // ------------------------------------------------------------------------------------------------ units

  function unitOf(loaded: Loaded, variant: Variant, sites: readonly Site[]): Unit {
    const key = unitKey(loaded, variant, sites);
    const known = units.get(key);
    if (known) return known;
    const stored = options.disk.read(key);
    // Written by this very compiler version under a key of all it depends on, checksum included.
    const code = stored === undefined ? emit(loaded, variant, sites) : (stored as UnitCode);
    if (stored === undefined) options.disk.write(key, code);
    else counts.restored += 1;
    const id = nextUnitId++;
    const factory = new Script(code.code, { filename: `incipit:${id}` }).runInThisContext();
    const unit: Unit = { id, code, factory };
    units.set(key, unit);
    unitsById.set(id, { unit, loaded });
    return unit;
  }

  function emit(loaded: Loaded, variant: Variant, sites: readonly Site[]): UnitCode {
    counts.emitted += 1;
    const template = loaded.checked();
    return emitUnit({
      template,
      facts: loaded.facts(),
      options,
      surroundings,
      variant,
      sites,
      named: loaded.named,
    });
  }

  function unitKey(loaded: Loaded, variant: Variant, sites: readonly Site[]): string {
    const others = loaded.facts().dependencies.map(({ kind, name }) => {
      if (name === null) return null;
      const reads = surroundings.reads(name);
      const macros = kind === 'import' ? factsOf(name)?.macros : undefined;
      return [name, reads instanceof Set ? [...reads].sort() : (reads ?? null), macros ?? null];
    });
    const name = loaded.named ? loaded.name : '';
    return digest(
      'unit',
      compilerVersion(),
      optionsDigest,
      name,
      loaded.source,
      JSON.stringify([variant, sites, others]),
    );
  }

  // ------------------------------------------------------------------------------------------------ links

  function root(loaded: Loaded, autoescape: boolean): Linked {
    const { root: known } = loaded;
    if (known?.generation === generation && known.autoescape === autoescape) return known.linked;
    const linked = link(loaded, plainVariant(reach(loaded).async, autoescape));
    loaded.root = { generation, autoescape, linked };
    return linked;
  }

  function link(
    loaded: Loaded,
    variant: Variant,
    extraSites: readonly Site[] = [],
    below: readonly Loaded[] = [],
  ): LinkedUnit {
    return linkedOnce(loaded, JSON.stringify([variant, extraSites]), () => {
      const parent = parentOf(loaded, below);
      if (parent === undefined) return linkAlone(loaded, variant, extraSites);
      const layout = (sites: readonly Site[]) =>
        link(parent, layoutVariant(variant), [...extraSites, ...sites], [...below, loaded]);
      return linkOver(loaded, layout, variant);
    });
  }

  function linkedOnce(loaded: Loaded, key: string, make: () => LinkedUnit): LinkedUnit {
    let known = links.get(loaded);
    const found = known?.get(key);
    if (found) return found;
    const linked = make();
    known = links.get(loaded) ?? new Map<string, LinkedUnit>();
    links.set(loaded, known.set(key, linked));
    return linked;
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
    const functions = instantiate(unit, loaded);
    const entries = [...functions.blocks].map(([key, definition]) => [key, [definition]] as const);
    const table = new BlockTable(entries, [loaded]);
    return linkedUnit(loaded, functions, table, unit, new Set(loaded.facts().blocks));
  }

  /** @param layout links what is above, written for further places too if asked */
  function linkOver(
    loaded: Loaded,
    layout: (sites: readonly Site[]) => LinkedUnit,
    variant: Variant,
  ): LinkedUnit {
    let above = layout([]);
    const unit = unitOf(loaded, variant, above.sites);
    // Places inside this template's own blocks, for blocks that are defined above as well: the layouts must be
    // written for those places too.
    const own = unit.code.sites.filter(
      (site) => !above.table.has(siteKey(site)) && above.blockNames.has(site.block),
    );
    if (own.length > 0) above = layout(own);
    const functions = instantiate(unit, loaded);
    const table = new BlockTable(above.table, [loaded, ...above.table.chain]);
    for (const [key, definition] of functions.blocks) {
      table.set(key, [definition, ...(above.table.get(key) ?? [])]);
    }
    return linkedUnit(
      loaded,
      functions,
      table,
      unit,
      new Set([...above.blockNames, ...loaded.facts().blocks]),
    );
  }

  function parentOf(loaded: Loaded, below: readonly Loaded[]): Loaded | undefined {
    const dependency = loaded.facts().dependencies.find(({ kind }) => kind === 'extends');
    if (dependency === undefined || dependency.name === null) return undefined;
    const parent = load(dependency.name);
    if (parent === undefined) return undefined;
    if (parent === loaded || below.includes(parent))
      throw extendsCircle(loaded, [...below, loaded, parent], dependency.offset);
    return parent;
  }

  function instantiate(unit: Unit, loaded: Loaded): UnitFunctions {
    return unit.factory(options.helpers, unit.code.references.map(createCell), loaded);
  }

  /** A cell that links what it stands for when it is called the first time. */
  function createCell(reference: Reference): Cell {
    const cell: Cell = {
      table: undefined,
      run: (...args) => {
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
    const macro = linked.macros.get(reference.macro);
    if (macro === undefined) throw new Error(`"${reference.template}" has no macro "${reference.macro}"`);
    return macro;
  }

  function required(name: string): Loaded {
    const loaded = load(name);
    if (loaded === undefined) throw new MissingTemplate(name);
    return loaded;
  }

  function refresh(): void {
    let changed = false;
    for (const [name, loaded] of named) {
      if (sourceOf(name) === loaded?.source) continue;
      named.delete(name);
      changed = true;
    }
    if (!changed) return;
    reaches.clear();
    links = new WeakMap();
    generation += 1;
  }

  function source(text: string, name: string): Loaded {
    const known = sources.get(text);
    if (known) return known;
    const loaded = createLoaded({ name, source: text, named: false }, options, options.disk, counts);
    sources.set(text, loaded);
    return loaded;
  }

  function locate(id: number, line: number, column: number): Location | undefined {
    const entry = unitsById.get(id);
    if (entry === undefined) return undefined;
    const offset = offsetAt(entry.unit.code.segments, line, column);
    return offset === undefined
      ? undefined
      : { loaded: entry.loaded, ...positionAt(entry.loaded.source, offset) };
  }

  return {
    source,
    named: load,
    root,
    reach,
    link,
    tableUnder,
    refresh,
    locate,
    counts,
  };
}

/** A literal template name that leads nowhere, met while rendering. */
export class MissingTemplate extends Error {
  constructor(name: string) {
    super(`there is no snippet "${name}"`);
  }
}

function linkedUnit(
  loaded: Loaded,
  { body, macros }: UnitFunctions,
  table: BlockTable,
  { code }: Unit,
  blockNames: ReadonlySet<string>,
): LinkedUnit {
  return { loaded, run: body, macros, table, sites: code.sites, blockNames };
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

/** The last segment at or before a position, on its line or, failing that, on a line above. */
function offsetAt(segments: readonly number[], line: number, column: number): number | undefined {
  let best: number | undefined;
  for (let index = 0; index < segments.length; index += 3) {
    const [segmentLine = 0, segmentColumn = 0, offset] = segments.slice(index, index + 3);
    if (segmentLine > line || (segmentLine === line && segmentColumn > column)) break;
    best = offset;
  }
  return best;
}
