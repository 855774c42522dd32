/**
 * Static findings that do not keep a template from being compiled: the template names something that does not
 * exist, parts of it never show, or a value stands where escaping does not make it harmless. Only certain
 * findings are reported: a computed name, or an entry of an unknown collection, gives none.
 *
 * Each kind of finding is one function in a file of its own. A new one is a new entry in `finders`. All walk
 * the template once, so that the work is in proportion to its size.
 */
import type { Template } from '../../grammar/ast.ts';
import { ErrorPlaces } from '../../grammar/errors.ts';
import { maxFindings } from '../check.ts';
import type { Facts } from '../facts.ts';
import { reportBlocks } from './blocks.ts';
import { reportCircles } from './circles.ts';
import { reportCollections } from './collections.ts';
import type { ContentLookup } from './content-lookup.ts';
import { reportContexts } from './contexts.ts';
import { reportFields } from './fields.ts';
import { reportMacros } from './macros.ts';
import { reportParameters } from './parameters.ts';
import { reportReferences } from './references.ts';
import { reportRegions } from './regions.ts';
import type { CheckedTemplate, Finding, FindingText, OtherTemplateFacts, ReportFinding } from './report.ts';
import { reportSlots } from './slots.ts';
import { reportUnclosed } from './unclosed.ts';
import { reportVariables } from './variables.ts';

const finders: readonly ((subject: CheckedTemplate) => void)[] = [
  reportReferences,
  reportCircles,
  reportCollections,
  reportFields,
  reportVariables,
  reportMacros,
  reportParameters,
  reportSlots,
  reportBlocks,
  reportRegions,
  reportUnclosed,
  reportContexts,
];

/** Findings in order of position, the first 100, each place and code once. */
export function findProblems(
  template: Template,
  facts: Facts,
  world: ContentLookup,
  options: CheckedTemplate['options'],
  others: OtherTemplateFacts,
): readonly Finding[] {
  const found = new Found();
  const subject = { template, facts, world, options, others, report: found.report };
  for (const find of finders) find(subject);
  const errors = new ErrorPlaces(template);
  return found.first(maxFindings).map(({ offset, code, describe }) => {
    const { reason, params } = describe();
    return { code, params, error: errors.at(offset, reason) };
  });
}

interface FoundProblem {
  readonly offset: number;
  readonly code: Finding['code'];
  readonly describe: () => FindingText;
}

/** Keeps each place and code once: the tree holds the body of a partial at every tag that renders it. */
class Found {
  readonly #problems = new Map<string, FoundProblem>();

  readonly report: ReportFinding = (offset, code, describe) => {
    const key = `${offset} ${code}`;
    if (!this.#problems.has(key)) this.#problems.set(key, { offset, code, describe });
  };

  first(count: number): readonly FoundProblem[] {
    return [...this.#problems.values()].sort((a, b) => a.offset - b.offset).slice(0, count);
  }
}
