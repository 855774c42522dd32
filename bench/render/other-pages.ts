import { outcomeOf } from '../django/incipit.ts';
import { caseOf } from '../django/templates.ts';

/**
 * Renders different pages with all kinds of tags, filters and values: what V8 learned from the workloads
 * alone would flatter the engine, because a server renders every kind of page in one process.
 */
export function renderOtherPages(count: number): void {
  for (let seed = 1; seed <= count; seed += 1) outcomeOf(caseOf(seed));
}
