/** The names that are visible at a place of a template, kept while the template is walked. */
import type { Node } from '../../grammar/ast.ts';
import { assignedName, sharesScope } from '../scope.ts';
import { listBodies } from '../walk.ts';

/** Names of scopes inside each other. A lookup costs the same however many scopes there are. */
export class VisibleNames {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  all(): Iterable<string> {
    return this.#counts.keys();
  }

  /** Runs `visit` with further names. */
  within(names: Iterable<string>, visit: () => void): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    visit();
    for (const name of names) {
      const count = (this.#counts.get(name) ?? 0) - 1;
      if (count > 0) this.#counts.set(name, count);
      else this.#counts.delete(name);
    }
  }
}

export interface AssignedNames {
  /** The names assigned in each body that is a scope. A name belongs to its scope from the beginning. */
  readonly byBody: ReadonlyMap<readonly Node[], ReadonlySet<string>>;
  /** Names of `{% cycle ... as name %}`, which also change the scopes around theirs. */
  readonly byCycles: ReadonlySet<string>;
}

/** The assigned names of all scopes of a template, in one walk. */
export function assignedInScopes(body: readonly Node[]): AssignedNames {
  const byBody = new Map<readonly Node[], Set<string>>();
  const byCycles = new Set<string>();
  const collect = (nodes: readonly Node[], scope: Set<string>) => {
    for (const node of nodes) {
      const name = assignedName(node);
      if (name !== undefined) (node.type === 'Cycle' ? byCycles : scope).add(name);
      for (const inner of listBodies(node)) collect(inner, sharesScope(node) ? scope : scopeOf(inner));
    }
  };
  const scopeOf = (nodes: readonly Node[]) => {
    const names = byBody.get(nodes) ?? new Set<string>();
    byBody.set(nodes, names);
    return names;
  };
  collect(body, scopeOf(body));
  return { byBody, byCycles };
}
