/**
 * Units of generated code: one per variant of a template that is in use, taken from memory, from disk, or emitted.
 *
 * - Key: the digest of everything the code depends on: compiler, options, source, variant, block places, and what was
 *   asked about other templates. So a unit is never wrong, only unused.
 * - Memory: least recently used units go when their code takes more than `maxBytes`.
 */
import { Script } from 'node:vm';
import { LRUCache } from 'lru-cache';
import { positionAt } from '../grammar/errors.ts';
import { compilerVersion, digest } from './cache.ts';
import type { Site, Variant } from './emit/context.ts';
import { emitUnit, type UnitCode } from './emit/index.ts';
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
  readonly #definitions = new Map<string, readonly CompiledFunction[]>();

  constructor(
    loaded: Loaded,
    definitions: ReadonlyMap<string, CompiledFunction>,
    layout: BlockTable | undefined,
  ) {
    this.#loaded = loaded;
    this.#layout = layout;
    for (const [key, definition] of definitions) {
      this.#definitions.set(key, [definition, ...(layout?.get(key) ?? [])]);
    }
  }

  get(key: string): readonly CompiledFunction[] | undefined {
    return this.#definitions.get(key) ?? this.#layout?.get(key);
  }

  /** The templates whose blocks are in it, most derived first. */
  chain(): readonly Loaded[] {
    return [this.#loaded, ...(this.#layout?.chain() ?? [])];
  }
}

/** A unit in memory: the text of the code is with the JavaScript engine, not kept here again. */
export interface Unit {
  readonly id: number;
  readonly sizeBytes: number;
  readonly references: UnitCode['references'];
  readonly ownSites: UnitCode['ownSites'];
  readonly segments: Int32Array;
  readonly factory: (helpers: unknown, cells: readonly Cell[], self: Loaded) => UnitFunctions;
}

export interface UnitFunctions {
  readonly body: CompiledFunction;
  readonly blocks: ReadonlyMap<string, CompiledFunction>;
  readonly macros: ReadonlyMap<string, CompiledFunction>;
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
  const { surroundings, counts } = library;
  const optionsDigest = digest(
    JSON.stringify([
      [...options.filters].map(([name, { args, returns }]) => [name, args, returns]),
      [...options.functions].map(([name, signature]) => [name, signature.async === true]),
      [...options.globals],
    ]),
  );
  const units = new LRUCache<string, Unit>({
    maxSize: options.maxBytes,
    sizeCalculation: (unit) => unit.sizeBytes,
    dispose: (unit) => unitsById.delete(unit.id),
  });
  const unitsById = new Map<number, { unit: Unit; loaded: Loaded }>();
  let nextUnitId = 1;

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
    const { references, ownSites } = code;
    const segments = Int32Array.from(code.segments);
    const sizeBytes = code.code.length * 3 + segments.byteLength + 2_000;
    const unit: Unit = { id, sizeBytes, references, ownSites, segments, factory };
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
      // A layout is called without names, so that it exists is all that counts; of an import only the macros do.
      if (kind === 'extends' || kind === 'import') {
        return [
          name,
          reads !== undefined,
          kind === 'import' ? (library.factsOf(name)?.macros ?? null) : null,
        ];
      }
      return [name, reads instanceof Set ? [...reads].sort() : (reads ?? null)];
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

  function locate(id: number, line: number, column: number): Location | undefined {
    const entry = unitsById.get(id);
    if (entry === undefined) return undefined;
    const offset = offsetAt(entry.unit.segments, line, column);
    return offset === undefined
      ? undefined
      : { loaded: entry.loaded, ...positionAt(entry.loaded.source, offset) };
  }

  return { unitOf, locate };
}

/** The last segment at or before a position, on its line or, failing that, on a line above. */
function offsetAt(segments: Int32Array, line: number, column: number): number | undefined {
  let best: number | undefined;
  for (let index = 0; index < segments.length; index += 3) {
    const [segmentLine = 0, segmentColumn = 0, offset] = segments.subarray(index, index + 3);
    if (segmentLine > line || (segmentLine === line && segmentColumn > column)) break;
    best = offset;
  }
  return best;
}
