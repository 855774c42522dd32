/** `{% partialdef %}` and `{% partial %}`: a use may stand above the definition, but never inside it. */
import type { Node } from './ast.ts';
import { errorAt, type SourceText } from './errors.ts';
import type { Size, SizeCounter } from './size.ts';
import { didYouMean } from './suggest.ts';

export interface PartialBody {
  /** Filled when the definition ends. Tags above the definition may already hold this array. */
  readonly body: Node[];
  /** Size of the definition without the partials it renders; undefined until the definition ends. */
  size: Size | undefined;
}

/** A tag that renders a partial: `{% partial %}`, or an inline definition. */
export interface PartialUse {
  readonly name: string;
  /** The partial whose definition contains the tag; undefined outside of definitions. */
  readonly inside: string | undefined;
  readonly start: number;
}

/** The partial of that name. Its definition may come later. */
export function partialNamed(partials: Map<string, PartialBody>, name: string): PartialBody {
  const known = partials.get(name);
  if (known !== undefined) return known;
  const partial: PartialBody = { body: [], size: undefined };
  partials.set(name, partial);
  return partial;
}

/**
 * Checks that every used partial is defined, and that no partial renders itself, directly or through others:
 * the tree holds the body of a partial at every use. Adds the size of the rendered body to the counter for
 * every use.
 * @throws TemplateError
 */
export function checkPartials(
  partials: ReadonlyMap<string, PartialBody>,
  uses: readonly PartialUse[],
  counter: SizeCounter,
  text: SourceText,
): void {
  if (partials.size === 0) return;
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
