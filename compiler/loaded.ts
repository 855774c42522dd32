/** A template as the linker holds it: source, and what is worked out of it when first asked. */
import type { Template } from '../grammar/ast.ts';
import { errorAt } from '../grammar/errors.ts';
import { splitName } from '../grammar/names.ts';
import { parse } from '../grammar/parse.ts';
import { analyse } from './analyse.ts';
import { compilerVersion, type DiskCache, digest } from './cache.ts';
import { check } from './check.ts';
import type { Facts } from './facts.ts';
import type { Linked, LinkedUnit } from './link.ts';
import type { CompilerOptions } from './options.ts';
import { SmallMap } from './small-map.ts';
import type { Unit } from './units.ts';

export interface CompileCounts {
  parsed: number;
  emitted: number;
  restored: number;
}

/** What all templates of an engine share. */
export interface Compilation {
  readonly options: CompilerOptions;
  /** Absent if nothing is kept on disk. */
  readonly disk: DiskCache | undefined;
  readonly counts: CompileCounts;
}

export class Loaded {
  readonly name: string;
  readonly source: string;
  /** Whether other templates can name it; a page's own text cannot be named. */
  readonly named: boolean;
  /** What a render of it begins with. */
  root: Linked | undefined;
  /** Its code as linked, by variant. Only as good as the links: forgotten with them. */
  readonly links = new SmallMap<LinkedUnit>();
  /** Its code, by all that the code depends on besides the source. */
  readonly units = new SmallMap<Unit>();
  readonly #compilation: Compilation;
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
   * The tree of a template that passed all checks. It is not kept: most templates are emitted once, and a tree takes
   * more memory than all else there is of a template. @throws TemplateError
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

  /** Forgets what it was linked with. */
  unlink(): void {
    this.root = undefined;
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
    // Written by this very compiler version under a key of its source, checksum included.
    return this.#compilation.disk?.read(this.#factsKey()) as Facts | undefined;
  }

  #analysed(): Facts {
    const facts = analyse(this.#treeOf());
    this.#compilation.disk?.write(this.#factsKey(), facts);
    return facts;
  }

  #factsKey(): string {
    return digest('facts', compilerVersion(), this.named ? this.name : '', this.source);
  }
}

/** The tree of a partial if the name asks for one: its body, with the macros and imports of the whole template. */
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
