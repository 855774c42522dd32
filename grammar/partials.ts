/** `{% partialdef %}` and `{% partial %}`: a partial may be used above its definition, but never inside itself. */
import type { Node } from './ast.ts';
import { didYouMean, errorAt, type SourceText } from './errors.ts';

export interface PartialBody {
  /** Filled when the definition ends, which may come after uses. */
  readonly body: Node[];
  defined: boolean;
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
  const partial: PartialBody = { body: [], defined: false };
  partials.set(name, partial);
  return partial;
}

/**
 * Every partial that is used must be defined, and none may render itself, directly or by way of others: the tree
 * holds its body at every use.
 * @throws TemplateError
 */
export function checkPartials(
  partials: ReadonlyMap<string, PartialBody>,
  uses: readonly PartialUse[],
  text: SourceText,
): void {
  const defined = [...partials.keys()].filter((name) => partials.get(name)?.defined);
  const unknown = uses.find(({ name }) => partials.get(name)?.defined === false);
  if (unknown !== undefined) {
    const hint = didYouMean(unknown.name, defined);
    throw errorAt(text, unknown.start, `no {% partialdef ${unknown.name} %} in this template${hint}`);
  }
  const usesIn = Map.groupBy(uses, ({ inside }) => inside);
  const states = new Map<string, 'open' | 'checked'>();
  const check = (name: string): void => {
    states.set(name, 'open');
    for (const use of usesIn.get(name) ?? []) {
      const state = states.get(use.name);
      if (state === 'open') {
        throw errorAt(text, use.start, `{% partial ${use.name} %} would render itself without end`);
      }
      if (state === undefined) check(use.name);
    }
    states.set(name, 'checked');
  };
  for (const name of defined) if (!states.has(name)) check(name);
}
