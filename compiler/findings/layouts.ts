/** The layouts above a template, as far as their names are written in the templates. */
import { splitName } from '../../grammar/names.ts';
import type { Facts } from '../facts.ts';
import type { CheckedTemplate } from './report.ts';

export interface LayoutChain {
  /** The nearest first. */
  readonly layouts: readonly Facts[];
  /** Whether these are all: no name is computed, and each layout exists and has no mistakes. */
  readonly isComplete: boolean;
}

/** The layouts of a template; none, and complete, if it extends nothing. */
export function layoutsAbove({ template, facts, others }: CheckedTemplate): LayoutChain {
  const layouts: Facts[] = [];
  const seen = new Set([template.name]);
  let below = facts;
  for (;;) {
    const extended = below.dependencies.find(({ kind }) => kind === 'extends');
    if (extended === undefined) return { layouts, isComplete: true };
    const { name } = extended;
    // A layout that is a part of another template has the blocks of that part alone.
    const layout =
      name === null || seen.has(name) || splitName(name).partial !== undefined
        ? undefined
        : others.factsOf(name);
    if (name === null || layout === undefined) return { layouts, isComplete: false };
    seen.add(name);
    layouts.push(layout);
    below = layout;
  }
}
