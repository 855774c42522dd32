/**
 * Finds tags that lead to a circle of templates without end: every render then fails. Only tags that every
 * render runs count. A circle through a branch or loop may end.
 */
import type { Dependency, Facts } from '../facts.ts';
import type { CheckedTemplate } from './report.ts';

export function reportCircles({ template, facts, others, report }: CheckedTemplate): void {
  const search = new CircleSearch((name) => (name === template.name ? facts : others.factsOf(name)));
  for (const dependency of facts.dependencies) {
    const name = leadingName(dependency);
    const circle = name === undefined ? undefined : search.from(template.name, name);
    if (circle === undefined) continue;
    report(dependency.offset, 'template.circle', () => ({
      reason: `this never ends: ${circle.join(' > ')}`,
      params: { name: dependency.name ?? '' },
    }));
  }
}

/** The template that every render of the tag's template also renders. */
function leadingName({ kind, name, always }: Dependency): string | undefined {
  return always && kind !== 'import' && name !== null ? name : undefined;
}

/** Templates visited for one template that is saved. */
const maxVisited = 1_000;

/** A depth-first search, which visits each template once for all tags of the template. */
class CircleSearch {
  readonly #factsOf: (name: string) => Facts | undefined;
  /** Templates from which no circle can be reached. */
  readonly #harmless = new Set<string>();
  #visited = 0;

  constructor(factsOf: (name: string) => Facts | undefined) {
    this.#factsOf = factsOf;
  }

  /** The path from a template through one that it names to the first repetition; undefined if it ends. */
  from(start: string, name: string): readonly string[] | undefined {
    return this.#search([start], name);
  }

  #search(path: readonly string[], name: string): readonly string[] | undefined {
    if (path.includes(name)) return [...path, name];
    if (this.#harmless.has(name) || ++this.#visited > maxVisited || path.length > maxPath) return undefined;
    for (const dependency of this.#factsOf(name)?.dependencies ?? []) {
      const next = leadingName(dependency);
      const circle = next === undefined ? undefined : this.#search([...path, name], next);
      if (circle !== undefined) return circle;
    }
    this.#harmless.add(name);
    return undefined;
  }
}

/** Deeper chains fail anyway: a render allows 50 levels. */
const maxPath = 100;
