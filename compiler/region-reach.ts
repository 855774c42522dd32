/** Which templates lead to regions. Most lead to none, so that nothing needs to parse them. */
import type { Template } from '../grammar/ast.ts';
import type { Facts } from './facts.ts';

export interface RegionTemplates {
  treeOf(name: string): Template | undefined;
  factsOf(name: string): Facts | undefined;
}

export class RegionReach {
  readonly #templates: RegionTemplates;
  readonly #byName = new Map<string, boolean>();

  constructor(templates: RegionTemplates) {
    this.#templates = templates;
  }

  /** Whether a text may have regions. A computed name may lead to any template. */
  mayHaveRegions(facts: Facts): boolean {
    return (
      facts.hasRegions || facts.dependencies.some(({ kind, name }) => kind !== 'import' && this.#leads(name))
    );
  }

  #leads(name: string | null): boolean {
    return name === null || this.leadsToRegions(name);
  }

  leadsToRegions(first: string): boolean {
    const known = this.#byName.get(first);
    if (known !== undefined) return known;
    const names = new Set([first]);
    let found = false;
    // The loop also visits names that are added while it runs.
    for (const name of names) {
      const facts = this.#templates.factsOf(name);
      if (facts === undefined) continue;
      found ||= facts.hasRegions;
      for (const { kind, name: next } of facts.dependencies) {
        if (kind === 'import') continue;
        if (next === null) found = true;
        else names.add(next);
      }
      if (found) break;
    }
    this.#byName.set(first, found);
    return found;
  }
}
