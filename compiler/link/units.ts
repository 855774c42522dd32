/**
 * Units of generated code: one per variant of a template in use, taken from memory, from disk, or emitted.
 *
 * - Key: everything the code depends on: variant, outlets, and the answers about other templates. In memory
 *   each template has its own keys; on disk digests of compiler, options and source are part of the key. So a
 *   unit is never wrong, only unused.
 * - Memory: a {@link UnitCache}.
 */
import { Script } from 'node:vm';
import { positionAt } from '../../grammar/positions.ts';
import { compilerVersion, digest } from '../cache.ts';
import { emitUnit, type UnitCode } from '../emit/index.ts';
import { offsetAt, packPositions } from '../emit/positions.ts';
import { type BlockOutlet, type Variant, variantKey } from '../emit/variant.ts';
import type { Dependency } from '../facts.ts';
import type { Library, LibraryOptions } from './library.ts';
import type { LoadedTemplate, Unit } from './model.ts';
import { UnitCache } from './unit-cache.ts';

export interface Location {
  readonly loaded: LoadedTemplate;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** The units of all templates of an engine. */
export class Units {
  readonly #options: LibraryOptions;
  readonly #library: Library;
  readonly #units: UnitCache;
  #nextUnitId = 1;
  #optionsDigest: string | undefined;

  constructor(options: LibraryOptions, library: Library) {
    this.#options = options;
    this.#library = library;
    this.#units = new UnitCache(options.maxBytes);
  }

  /** The code of a variant, written for these outlets. @throws TemplateError */
  unitOf(loaded: LoadedTemplate, variant: Variant, allOutlets: readonly BlockOutlet[]): Unit {
    const outlets = ownBlocks(loaded, allOutlets);
    const key = variantKey(variant, outlets) + this.#othersKey(loaded);
    const known = loaded.units.get(key);
    if (known) {
      this.#units.touch(known);
      return known;
    }
    const id = this.#nextUnitId++;
    const code = this.#codeOf(loaded, variant, outlets, key);
    const unit = inMemory(code, { id, loaded, key });
    this.#units.add(unit);
    return unit;
  }

  /** Drops all units of a template. */
  forget(loaded: LoadedTemplate): void {
    for (const unit of loaded.units.values()) this.#units.drop(unit);
  }

  /** The template, line and column that a position of generated code was written for. */
  locate(id: number, line: number, column: number): Location | undefined {
    const unit = this.#units.get(id);
    if (unit === undefined) return undefined;
    const { loaded, positions } = unit;
    const offset = offsetAt(positions, line, column);
    return offset === undefined ? undefined : { loaded, offset, ...positionAt(loaded.source, offset) };
  }

  #codeOf(loaded: LoadedTemplate, variant: Variant, outlets: readonly BlockOutlet[], key: string): UnitCode {
    const { disk } = this.#options;
    if (disk === undefined) return this.#emit(loaded, variant, outlets);
    this.#optionsDigest ??= digestOf(this.#options);
    const name = loaded.named ? loaded.name : '';
    const file = digest('unit', compilerVersion(), this.#optionsDigest, name, loaded.source, key);
    const stored = disk.read(file);
    // The cast is safe: this compiler version wrote the entry under a key of all its inputs, with a checksum.
    if (stored !== undefined) {
      this.#library.counts.restored += 1;
      return stored as UnitCode;
    }
    const code = this.#emit(loaded, variant, outlets);
    disk.write(file, code, loaded.named);
    return code;
  }

  #emit(loaded: LoadedTemplate, variant: Variant, outlets: readonly BlockOutlet[]): UnitCode {
    const { counts, surroundings } = this.#library;
    counts.emitted += 1;
    const template = loaded.checked();
    return emitUnit({
      template,
      facts: loaded.facts(),
      options: this.#options,
      surroundings,
      variant,
      outlets,
      named: loaded.named,
    });
  }

  /** Key of the answers about other templates that the code of a template depends on. */
  #othersKey(loaded: LoadedTemplate): string {
    const { dependencies } = loaded.facts();
    if (dependencies.length === 0) return '';
    const others = new Map<string, unknown>();
    for (const dependency of dependencies) {
      const key = `${dependency.kind} ${dependency.name ?? ''}`;
      if (!others.has(key)) others.set(key, this.#otherOf(dependency));
    }
    return JSON.stringify([...others.values()]);
  }

  #otherOf({ kind, name }: Dependency): unknown {
    if (name === null) return null;
    const { surroundings } = this.#library;
    const reads = surroundings.reads(name);
    // A layout is called without names: only its existence counts. Of an import also the macros count.
    if (kind === 'extends') return [name, reads !== undefined, null];
    const rebinds = namesIn(surroundings.rebinds(name));
    if (kind === 'import')
      return [name, reads !== undefined, this.#library.factsOf(name)?.macros ?? null, rebinds];
    const answers = [name, namesIn(reads), rebinds, surroundings.showsText(name)];
    return kind === 'component' ? [...answers, surroundings.listedSlots(name)] : answers;
  }
}

/** A set of names as JSON. */
function namesIn(names: ReadonlySet<string> | 'all' | undefined): unknown {
  return names instanceof Set ? [...names].sort() : (names ?? null);
}

/** The outlets of blocks that the template defines. Other outlets of its layouts do not change its code. */
function ownBlocks(loaded: LoadedTemplate, outlets: readonly BlockOutlet[]): readonly BlockOutlet[] {
  if (outlets.length === 0) return outlets;
  const blocks = new Set(loaded.facts().blocks);
  return outlets.filter(({ block }) => blocks.has(block));
}

/** What stays in memory of a unit: a compiled factory, and packed positions for error messages. */
function inMemory(unit: UnitCode, { id, loaded, key }: Pick<Unit, 'id' | 'loaded' | 'key'>): Unit {
  const { code, helpers, references, ownOutlets, segments } = unit;
  const factory: Unit['factory'] = new Script(code, { filename: `incipit:${id}` }).runInThisContext();
  const positions = packPositions(segments);
  const sizeBytes = code.length * 3 + positions.length * 2 + 2_000;
  return { id, loaded, key, sizeBytes, helpers, references, ownOutlets, positions, factory };
}

/** Digest of the options that generated code depends on. */
function digestOf(options: LibraryOptions): string {
  return digest(
    JSON.stringify([
      [...options.filters].map(([name, { args, returns, choices, quick, quickText }]) => [
        name,
        args,
        returns,
        choices,
        quick !== undefined,
        quickText === true,
      ]),
      [...options.functions].map(([name, { async, lasting }]) => [name, async === true, lasting === true]),
      [...options.globals],
      options.maxOutputLength,
    ]),
  );
}
