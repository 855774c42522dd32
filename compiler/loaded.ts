/** A template as the linker holds it: source, and what is worked out of it when first asked. */
import type { Template } from '../grammar/ast.ts';
import { errorAt } from '../grammar/errors.ts';
import { splitName } from '../grammar/names.ts';
import { parse } from '../grammar/parse.ts';
import { analyse } from './analyse.ts';
import { compilerVersion, type DiskCache, digest } from './cache.ts';
import { check } from './check.ts';
import type { Facts } from './facts.ts';
import type { Linked } from './link.ts';
import type { CompilerOptions } from './options.ts';

export interface Loaded {
  readonly name: string;
  readonly source: string;
  /** Whether other templates can name it; a page's own text cannot be named. */
  readonly named: boolean;
  /** What a render of it begins with, as linked last; valid for that generation of links only. */
  root: { readonly generation: number; readonly autoescape: boolean; readonly linked: Linked } | undefined;
  /** @throws TemplateError if the source does not parse */
  facts(): Facts;
  /** The tree of a template that passed all checks. @throws TemplateError */
  checked(): Template;
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

export interface CompileCounts {
  parsed: number;
  emitted: number;
  restored: number;
}

export function createLoaded(
  template: { readonly name: string; readonly source: string; readonly named: boolean },
  options: CompilerOptions,
  disk: DiskCache,
  counts: CompileCounts,
): Loaded {
  let tree: Template | undefined;
  let facts: Facts | undefined;
  let isChecked = false;
  const treeOf = () => {
    if (tree === undefined) {
      counts.parsed += 1;
      tree = partOf(parse(template.source, template.name));
    }
    return tree;
  };
  const factsOf = () => {
    if (facts === undefined) {
      const key = digest('facts', compilerVersion(), template.named ? template.name : '', template.source);
      const stored = disk.read(key);
      // Written by this very compiler version under a key of its source, checksum included.
      facts = stored === undefined ? analyse(treeOf()) : (stored as Facts);
      if (stored === undefined) disk.write(key, facts);
    }
    return facts;
  };
  return {
    ...template,
    root: undefined,
    facts: factsOf,
    checked() {
      if (!isChecked) {
        const [finding] = check(treeOf(), factsOf(), options);
        if (finding) throw finding;
        isChecked = true;
      }
      const checkedTree = treeOf();
      // There may be very many pages, and their one variant is written now; snippets have several.
      if (!template.named) tree = undefined;
      return checkedTree;
    },
  };
}
