/**
 * The templates there are: loaded once per source, with what is known of each and of all it reaches.
 *
 * `refresh` looks whether any name leads to another source by now; everything said of more than one template is then
 * forgotten, links included; the templates that did not change stay, with their code.
 */
import { LRUCache } from 'lru-cache';
import { splitName } from '../grammar/names.ts';
import type { DiskCache } from './cache.ts';
import type { Surroundings } from './emit/context.ts';
import type { Facts } from './facts.ts';
import { type Compilation, type CompileCounts, Loaded } from './loaded.ts';
import type { CompilerOptions } from './options.ts';
import { type Reach, reachOf } from './reach.ts';

export interface LibraryOptions extends CompilerOptions {
  /** Source of a named template. */
  load(name: string): string | undefined;
  /** Where compiled code is kept over restarts. Default: nowhere. */
  readonly disk?: DiskCache | undefined;
  /** Bytes of source kept in memory for templates without a name. */
  readonly maxBytes: number;
}

export interface Library {
  /** A template without a name: a page's own text. */
  source(source: string, name: string): Loaded;
  /** A named template, or a partial of one as `name#partial`. */
  named(name: string): Loaded | undefined;
  /** Facts of a named template; undefined if there is none or it does not parse. */
  factsOf(name: string): Facts | undefined;
  /** What is said of a template together with all it reaches. @throws TemplateError */
  reach(loaded: Loaded): Reach;
  /** The same of a template without a name. */
  reachOf(facts: Facts): Reach;
  /** What emit may ask about other templates. */
  readonly surroundings: Surroundings;
  /** Looks whether any name now leads to another source, and forgets all links if so. */
  refresh(): void;
  readonly counts: CompileCounts;
}

/** Parameters of macros by name; worked out once, since a template may import any number of them. */
const macroTables = new WeakMap<Facts, ReadonlyMap<string, readonly string[]>>();

function macrosOf(facts: Facts): ReadonlyMap<string, readonly string[]> {
  let table = macroTables.get(facts);
  if (table === undefined) {
    table = new Map(facts.macros.map(({ name, params }) => [name, params.map((param) => param.name)]));
    macroTables.set(facts, table);
  }
  return table;
}

export function createLibrary(options: LibraryOptions): Library {
  const counts: CompileCounts = { parsed: 0, emitted: 0, restored: 0 };
  const compilation: Compilation = { options, disk: options.disk, counts };
  const templates = new Map<string, Loaded | undefined>();
  const sources = new LRUCache<string, Loaded>({
    maxSize: options.maxBytes,
    sizeCalculation: (_, source) => source.length * 2 + 2_000,
  });
  const reaches = new Map<string, Reach>();

  function source(text: string, name: string): Loaded {
    const known = sources.get(text);
    if (known) return known;
    const loaded = new Loaded(name, text, false, compilation);
    sources.set(text, loaded);
    return loaded;
  }

  function named(name: string): Loaded | undefined {
    const known = templates.get(name);
    if (known !== undefined || templates.has(name)) return known;
    const source = sourceOf(name);
    const loaded = source === undefined ? undefined : new Loaded(name, source, true, compilation);
    templates.set(name, loaded);
    return loaded;
  }

  function sourceOf(name: string): string | undefined {
    return options.load(splitName(name).template);
  }

  function factsOf(name: string): Facts | undefined {
    try {
      return named(name)?.facts();
    } catch {
      // A template that does not parse says so itself when it is rendered.
      return undefined;
    }
  }

  function reach(loaded: Loaded): Reach {
    const known = loaded.named ? reaches.get(loaded.name) : undefined;
    return known ?? reachOfFacts(loaded.facts());
  }

  function reachOfFacts(facts: Facts): Reach {
    return reachOf(facts, factsOf, options, reaches);
  }

  const surroundings: Surroundings = {
    reads(name) {
      const loaded = named(name);
      if (loaded === undefined) return undefined;
      return factsOf(name) === undefined ? new Set() : reach(loaded).reads;
    },
    macroParams(name, macro) {
      const facts = factsOf(name);
      return facts && macrosOf(facts).get(macro);
    },
  };

  function refresh(): void {
    let changed = false;
    for (const [name, loaded] of templates) {
      if (sourceOf(name) === loaded?.source) continue;
      templates.delete(name);
      changed = true;
    }
    if (!changed) return;
    reaches.clear();
    for (const loaded of templates.values()) loaded?.unlink();
    for (const loaded of sources.values()) loaded.unlink();
  }

  return { source, named, factsOf, reach, reachOf: reachOfFacts, surroundings, refresh, counts };
}
