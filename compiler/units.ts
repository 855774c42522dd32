/**
 * Units of generated code: one per variant of a template that is in use, taken from memory, from disk, or emitted.
 *
 * - Key: everything the code depends on: variant, block places, and what was asked about other templates; in memory
 *   by template, on disk with the digest of compiler, options and source. So a unit is never wrong, only unused.
 * - Memory: least recently used units go when their code takes more than `maxBytes`.
 */
import { Script } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { positionAt } from '../grammar/errors.ts';
import { compilerVersion, digest } from './cache.ts';
import { type Site, type Variant, variantKey } from './emit/context.ts';
import { emitUnit, type UnitCode } from './emit/index.ts';
import { offsetAt, type PackedPositions, packPositions } from './emit/positions.ts';
import type { Dependency } from './facts.ts';
import type { Library, LibraryOptions } from './library.ts';
import type { Loaded } from './loaded.ts';

/** A function of generated code: `(state, context, table, ...values)`. Only generated code knows the rest. */
export type CompiledFunction = (...args: unknown[]) => string | Promise<string>;

/**
 * Definitions of each block place, most derived first: those of one template laid over its layout's table. What the
 * layouts define alone is looked up there, so that a page costs what its own blocks cost.
 */
export class BlockTable {
  readonly #loaded: Loaded;
  readonly #layout: BlockTable | undefined;
  readonly #definitions: Definitions;

  constructor(
    loaded: Loaded,
    definitions: ReadonlyMap<string, CompiledFunction> | undefined,
    layout: BlockTable | undefined,
  ) {
    this.#loaded = loaded;
    this.#layout = layout;
    this.#definitions = definitions === undefined ? noDefinitions : laidOver(definitions, layout);
  }

  get(key: string): readonly CompiledFunction[] | undefined {
    return this.#definitions.get(key) ?? this.#layout?.get(key);
  }

  /** The templates whose blocks are in it, most derived first. */
  chain(): readonly Loaded[] {
    return [this.#loaded, ...(this.#layout?.chain() ?? [])];
  }
}

type Definitions = ReadonlyMap<string, readonly CompiledFunction[]>;

const noDefinitions: Definitions = new Map();

function laidOver(
  definitions: ReadonlyMap<string, CompiledFunction>,
  layout: BlockTable | undefined,
): Definitions {
  const made = new Map<string, readonly CompiledFunction[]>();
  for (const [key, definition] of definitions) made.set(key, [definition, ...(layout?.get(key) ?? [])]);
  return made;
}

/** A unit in memory: the text of the code is with the JavaScript engine, not kept here again. */
export interface Unit {
  readonly id: number;
  readonly loaded: Loaded;
  readonly key: string;
  readonly sizeBytes: number;
  readonly references: UnitCode['references'];
  readonly ownSites: UnitCode['ownSites'];
  readonly positions: PackedPositions;
  readonly factory: (helpers: unknown, cells: readonly Cell[], self: Loaded) => UnitFunctions;
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

export interface Location {
  readonly loaded: Loaded;
  readonly line: number;
  readonly column: number;
}

export interface Units {
  /** The code of a variant, written for these block places. @throws TemplateError */
  unitOf(loaded: Loaded, variant: Variant, sites: readonly Site[]): Unit;
  /** Where in which template a position of generated code came from. */
  locate(unit: number, line: number, column: number): Location | undefined;
}

export function createUnits(options: LibraryOptions, library: Library): Units {
  const { disk } = options;
  const { surroundings, counts } = library;
  const units = new LRUCache<number, Unit>({
    maxSize: options.maxBytes,
    sizeCalculation: (unit) => unit.sizeBytes,
    dispose: ({ loaded, key }) => loaded.units.delete(key),
  });
  let nextUnitId = 1;
  let optionsDigest: string | undefined;

  function unitOf(loaded: Loaded, variant: Variant, allSites: readonly Site[]): Unit {
    const sites = ownBlocks(loaded, allSites);
    const key = variantKey(variant, sites) + othersKey(loaded);
    const known = loaded.units.get(key);
    if (known) {
      units.get(known.id);
      return known;
    }
    const id = nextUnitId++;
    const code = codeOf(loaded, variant, sites, key);
    const unit = { id, loaded, key, ...inMemory(code, id) };
    units.set(id, unit);
    loaded.units.set(key, unit);
    return unit;
  }

  function codeOf(loaded: Loaded, variant: Variant, sites: readonly Site[], key: string): UnitCode {
    if (disk === undefined) return emit(loaded, variant, sites);
    optionsDigest ??= digestOf(options);
    const name = loaded.named ? loaded.name : '';
    const file = digest('unit', compilerVersion(), optionsDigest, name, loaded.source, key);
    const stored = disk.read(file);
    // Written by this very compiler version under a key of all it depends on, checksum included.
    if (stored !== undefined) {
      counts.restored += 1;
      return stored as UnitCode;
    }
    const code = emit(loaded, variant, sites);
    disk.write(file, code);
    return code;
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

  /** What the code of a template says of others, as text. */
  function othersKey(loaded: Loaded): string {
    const { dependencies } = loaded.facts();
    if (dependencies.length === 0) return '';
    const others = new Map<string, unknown>();
    for (const dependency of dependencies) {
      const key = `${dependency.kind} ${dependency.name ?? ''}`;
      if (!others.has(key)) others.set(key, otherOf(dependency));
    }
    return JSON.stringify([...others.values()]);
  }

  function otherOf({ kind, name }: Dependency): unknown {
    if (name === null) return null;
    const reads = surroundings.reads(name);
    // A layout is called without names, so that it exists is all that counts; of an import only the macros do.
    if (kind === 'extends') return [name, reads !== undefined, null];
    if (kind === 'import') return [name, reads !== undefined, library.factsOf(name)?.macros ?? null];
    return [name, reads instanceof Set ? [...reads].sort() : (reads ?? null)];
  }

  function locate(id: number, line: number, column: number): Location | undefined {
    const unit = units.peek(id);
    if (unit === undefined) return undefined;
    const { loaded, positions } = unit;
    const offset = offsetAt(positions, line, column);
    return offset === undefined ? undefined : { loaded, ...positionAt(loaded.source, offset) };
  }

  return { unitOf, locate };
}

/** The places that concern a template. A page has few of the blocks of its layouts, and is not written anew for others. */
function ownBlocks(loaded: Loaded, sites: readonly Site[]): readonly Site[] {
  if (sites.length === 0) return sites;
  const blocks = new Set(loaded.facts().blocks);
  return sites.filter(({ block }) => blocks.has(block));
}

/** A unit of code as the JavaScript engine and error messages need it. */
function inMemory({ code, references, ownSites, segments }: UnitCode, id: number) {
  const factory: Unit['factory'] = new Script(code, { filename: `incipit:${id}` }).runInThisContext();
  const positions = packPositions(segments);
  const sizeBytes = code.length * 3 + positions.length * 2 + 2_000;
  return { sizeBytes, references, ownSites, positions, factory };
}

/** What of the options generated code depends on. */
function digestOf(options: LibraryOptions): string {
  return digest(
    JSON.stringify([
      [...options.filters].map(([name, { args, returns }]) => [name, args, returns]),
      [...options.functions].map(([name, signature]) => [name, signature.async === true]),
      [...options.globals],
    ]),
  );
}
