/**
 * The templates of an engine: loaded once per source, with the facts and the reach of each.
 *
 * `refresh` checks whether any name has another source by now. If so, all results that depend on more than
 * one template are dropped, links included. Templates that did not change stay, with their code.
 */
import { LRUCache } from 'lru-cache';
import { splitName } from '../../grammar/names.ts';
import type { DiskCache } from '../cache.ts';
import type { TemplateLookup } from '../emit/variant.ts';
import type { Dependency, Facts, ListedSlot } from '../facts.ts';
import type { CompilerOptions } from '../options.ts';
import { computeReach, type TransitiveFacts } from '../transitive-facts.ts';
import { type Compilation, type CompileCounts, LoadedTemplate } from './model.ts';

export interface LibraryOptions extends CompilerOptions {
  /** Source of a named template. */
  load(name: string): string | undefined;
  /** Where compiled code is kept over restarts. Default: nowhere. */
  readonly disk?: DiskCache | undefined;
  /** Bytes of source kept in memory for templates without a name. */
  readonly maxBytes: number;
}

/** Parameters of macros by name. Computed once, because a template may import any number of macros. */
const macroTables = new WeakMap<Facts, ReadonlyMap<string, readonly string[]>>();

function macrosOf(facts: Facts): ReadonlyMap<string, readonly string[]> {
  let table = macroTables.get(facts);
  if (table === undefined) {
    table = new Map(facts.macros.map(({ name, params }) => [name, params.map((param) => param.name)]));
    macroTables.set(facts, table);
  }
  return table;
}

/** Most names whose reach is remembered: a computed name may be any text. */
const maxNameSets = 10_000;

export class Library {
  /** How many templates were parsed, emitted as code, and taken from the disk cache. */
  readonly counts: CompileCounts = { parsed: 0, emitted: 0, restored: 0 };
  /** Answers to the questions that emit may ask about other templates. */
  readonly surroundings: TemplateLookup;
  /** Grows when links are dropped, because a template has changed. */
  generation = 0;
  readonly #options: LibraryOptions;
  readonly #compilation: Compilation;
  readonly #templates = new Map<string, LoadedTemplate | undefined>();
  /** Made for the first one: an engine of named templates has none. */
  #sources: LRUCache<string, LoadedTemplate> | undefined;
  readonly #reaches = new Map<string, TransitiveFacts>();
  /** Names that a name leads to, by that name. */
  readonly #namesFrom = new Map<string, ReadonlySet<string>>();

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#compilation = { options, disk: options.disk, counts: this.counts };
    this.surroundings = {
      reads: (name) => this.#readsOf(name),
      rebinds: (name) => this.#rebindsOf(name),
      showsText: (name) => this.factsOf(name)?.showsText ?? false,
      listedSlots: (name) => this.#listedSlotsOf(name),
      macroParams: (name, macro) => {
        const facts = this.factsOf(name);
        return facts && macrosOf(facts).get(macro);
      },
    };
  }

  /** A template without a name: a page's own text. */
  source(text: string, name: string): LoadedTemplate {
    this.#sources ??= new LRUCache<string, LoadedTemplate>({
      maxSize: this.#options.maxBytes,
      sizeCalculation: (_, source) => source.length * 2 + 2_000,
    });
    const known = this.#sources.get(text);
    if (known) return known;
    const loaded = new LoadedTemplate(name, text, false, this.#compilation);
    this.#sources.set(text, loaded);
    return loaded;
  }

  /** Whether a template without a name is in memory. */
  keepsSource(text: string): boolean {
    return this.#sources?.has(text) ?? false;
  }

  /** Drops a template without a name; returns what it was. */
  forget(text: string): LoadedTemplate | undefined {
    const loaded = this.#sources?.get(text);
    this.#sources?.delete(text);
    return loaded;
  }

  /** A named template, or a partial of one as `name#partial`. */
  named(name: string): LoadedTemplate | undefined {
    const known = this.#templates.get(name);
    if (known !== undefined || this.#templates.has(name)) return known;
    const source = this.#sourceOf(name);
    const loaded =
      source === undefined ? undefined : new LoadedTemplate(name, source, true, this.#compilation);
    this.#templates.set(name, loaded);
    return loaded;
  }

  /** Facts of a named template; undefined if there is none or it does not parse. */
  factsOf(name: string): Facts | undefined {
    try {
      return this.named(name)?.facts();
    } catch {
      // The render of that template reports the error.
      return undefined;
    }
  }

  /** Facts about a template together with all templates it reaches. @throws TemplateError */
  reach(loaded: LoadedTemplate): TransitiveFacts {
    const known = loaded.named ? this.#reaches.get(loaded.name) : undefined;
    return known ?? this.reachOf(loaded.facts());
  }

  /** The same for a template without a name. */
  reachOf(facts: Facts): TransitiveFacts {
    return computeReach(facts, (name) => this.factsOf(name), this.#options, this.#reaches);
  }

  /** All names of templates that may decide the output of a template: the same set until one of them changes. */
  reached(loaded: LoadedTemplate): ReadonlySet<string> {
    if (loaded.named) return this.reachedFrom(loaded.name);
    loaded.reached ??= new Set(
      loaded.facts().dependencies.flatMap(({ name }) => (name === null ? [] : [...this.reachedFrom(name)])),
    );
    return loaded.reached;
  }

  /** The template name in `name`, and the names of all templates it leads to; they need not exist. */
  reachedFrom(name: string): ReadonlySet<string> {
    const first = splitName(name).template;
    const known = this.#namesFrom.get(first);
    if (known !== undefined) return known;
    const names = new Set([first]);
    // The loop also visits names that are added while it runs.
    for (const reached of names) {
      for (const dependency of this.factsOf(reached)?.dependencies ?? []) {
        if (dependency.name !== null) names.add(splitName(dependency.name).template);
      }
    }
    if (this.#namesFrom.size >= maxNameSets) this.#namesFrom.clear();
    this.#namesFrom.set(first, names);
    return names;
  }

  /** Checks whether any name has another source by now, and drops all links if so. */
  refresh(): void {
    let changed = false;
    for (const [name, loaded] of this.#templates) {
      if (this.#sourceOf(name) === loaded?.source) continue;
      this.#templates.delete(name);
      changed = true;
    }
    if (!changed) return;
    this.generation += 1;
    this.#reaches.clear();
    this.#namesFrom.clear();
    for (const loaded of this.#templates.values()) loaded?.unlink();
    for (const loaded of this.#sources?.values() ?? []) loaded.unlink();
  }

  #readsOf(name: string): ReadonlySet<string> | 'all' | undefined {
    const loaded = this.named(name);
    if (loaded === undefined) return undefined;
    return this.factsOf(name) === undefined ? new Set() : this.reach(loaded).reads;
  }

  #rebindsOf(name: string): ReadonlySet<string> | 'all' {
    const loaded = this.named(name);
    return loaded === undefined || this.factsOf(name) === undefined ? new Set() : this.reach(loaded).rebinds;
  }

  #listedSlotsOf(name: string): readonly ListedSlot[] {
    const facts = this.factsOf(name);
    const isRead = facts?.dependencies.some((dependency) => this.#mayReadSlots(dependency));
    return facts === undefined || isRead ? [] : facts.listedSlots;
  }

  /** Whether the other template may find `slots` among the variables of the one that names it. */
  #mayReadSlots({ name, word, seesCaller }: Dependency): boolean {
    if (!seesCaller) return false;
    const reads = name === null || word ? 'all' : this.#readsOf(name);
    return reads === 'all' || (reads?.has('slots') ?? false);
  }

  #sourceOf(name: string): string | undefined {
    return this.#options.load(splitName(name).template);
  }
}
