/** `{% partialdef %}` and `{% partial %}`: a partial may be used above its definition, but never inside itself. */
import type { Node } from './ast.ts';
import { didYouMean, errorAt, type SourceText } from './errors.ts';
import type { Size, SizeCounter } from './size.ts';

export interface PartialBody {
  /** Filled when the definition ends, which may come after uses. */
  readonly body: Node[];
  /** Of the definition itself, without the partials it renders; undefined until it ends. */
  size: Size | undefined;
}

/** A place where a partial is rendered. */
export interface PartialUse {
  readonly name: string;
  /** The partial in whose definition it stands. */
  readonly inside: string | undefined;
  readonly start: number;
}

/** The partial of that name, which may be defined later. */
export function partialNamed(partials: Map<string, PartialBody>, name: string): PartialBody {
  const known = partials.get(name);
  if (known !== undefined) return known;
  const partial: PartialBody = { body: [], size: undefined };
  partials.set(name, partial);
  return partial;
}

/**
 * Every partial that is used must be defined, and none may render itself, directly or by way of others: the tree
 * holds its body at every use. The uses are counted as what they render.
 * @throws TemplateError
 */
export function checkPartials(
  partials: ReadonlyMap<string, PartialBody>,
  uses: readonly PartialUse[],
  counter: SizeCounter,
  text: SourceText,
): void {
  const unknown = uses.find(({ name }) => partials.get(name)?.size === undefined);
  if (unknown !== undefined) {
    const defined = [...partials].filter(([, { size }]) => size !== undefined).map(([name]) => name);
    const hint = didYouMean(unknown.name, defined);
    throw errorAt(text, unknown.start, `no {% partialdef ${unknown.name} %} in this template${hint}`);
  }
  const usesIn = Map.groupBy(uses, ({ inside }) => inside);
  const sizes = new Map<string, Size | 'open'>();
  const measure = (name: string): Size => {
    sizes.set(name, 'open');
    let size = partials.get(name)?.size ?? { tags: 0, all: 0 };
    for (const use of usesIn.get(name) ?? []) size = counter.sum(size, sizeOf(use), use.start);
    sizes.set(name, size);
    return size;
  };
  const sizeOf = (use: PartialUse): Size => {
    const known = sizes.get(use.name);
    if (known === 'open') {
      throw errorAt(text, use.start, `{% partial ${use.name} %} would render itself without end`);
    }
    return known ?? measure(use.name);
  };
  for (const name of partials.keys()) if (!sizes.has(name)) measure(name);
  for (const use of usesIn.get(undefined) ?? []) counter.add(sizeOf(use), use.start);
}
