/**
 * Static findings that do not keep a template from working: the template names something that does not exist,
 * or prints a value where escaping does not make the value harmless. Only certain findings are reported: a
 * computed name, or an entry of an unknown collection, gives none.
 */
import type { Template } from '../../grammar/ast.ts';
import { errorAt } from '../../grammar/errors.ts';
import { splitName } from '../../grammar/names.ts';
import { maxFindings } from '../check.ts';
import type { Facts } from '../facts.ts';
import { type CollectionFields, reportCollections } from './collections.ts';
import { reportContexts, type TreeOf } from './contexts.ts';
import type { Signatures } from './kinds.ts';
import type { UnsafePlace } from './places.ts';
import type { Finding, ReportFinding } from './report.ts';

/** What exists besides the template. If a question is absent, its findings are left out. */
export interface World {
  hasSnippet(name: string): boolean;
  hasAsset?(id: number): boolean;
  /** Field names of a collection or source, undefined if there is none of that slug. */
  readonly fieldsOf?: CollectionFields;
}

/** Further sources from the engine: signatures, and the trees of other templates. */
export interface FindingSources extends Signatures {
  readonly treeOf: TreeOf;
}

/** Findings in order of position, the first 100. */
export function findProblems(
  template: Template,
  facts: Facts,
  world: World,
  surroundings: FindingSources,
): readonly Finding[] {
  const found: (Pick<Finding, 'code' | 'params'> & { offset: number; reason: () => string })[] = [];
  const report: ReportFinding = (offset, code, params, reason) =>
    found.push({ offset, code, params, reason });
  reportSnippets(facts, world, report);
  reportAssets(facts, world, report);
  if (world.fieldsOf) reportCollections(template, facts, world.fieldsOf, surroundings, report);
  reportContexts(template, surroundings, (offset, place, snippet) => {
    report(offset, 'template.unsafeContext', { ...place }, () => reasonOf(place, snippet));
  });
  return found
    .sort((a, b) => a.offset - b.offset)
    .slice(0, maxFindings)
    .map(({ offset, code, params, reason }) => ({
      code,
      params,
      error: errorAt(template, offset, reason()),
    }));
}

function reportSnippets(facts: Facts, world: World, report: ReportFinding): void {
  for (const { name, word, offset } of facts.dependencies) {
    // A bare word may be a variable that holds the name.
    if (name === null || word || world.hasSnippet(splitName(name).template)) continue;
    report(offset, 'template.unknownSnippet', { name }, () => `there is no snippet "${name}"`);
  }
}

function reportAssets(facts: Facts, world: World, report: ReportFinding): void {
  for (const { id, offset } of facts.assets) {
    if (world.hasAsset?.(id) === false)
      report(offset, 'template.unknownAsset', { id }, () => `there is no asset ${id}`);
  }
}

function reasonOf({ place, name }: UnsafePlace, snippet: string | undefined): string {
  const reason = reasons[place](name);
  return snippet === undefined ? reason : `in the snippet "${snippet}", as it is included here: ${reason}`;
}

const reasons: Readonly<Record<UnsafePlace['place'], (name: string) => string>> = {
  script: () =>
    'a value in a script is escaped for HTML, not for JavaScript: write {{ value|json|safe }}, or {{ value|escapejs }} between quotes',
  handler: (name) =>
    `"${name}" runs as JavaScript, for which a value is not escaped: write {{ value|json }}, or {{ value|escapejs }} between quotes`,
  document: (name) =>
    `"${name}" is read as HTML once more, so a value needs escaping twice: write {{ value|force_escape|force_escape }}`,
  address: (name) =>
    `"${name}" begins with a value that may be a javascript: address: write {{ value|clean_url }}, or text before it such as "/"`,
  scriptAddress: (name) =>
    `"${name}" begins with a value, which decides where the script comes from: write the beginning of the address as text`,
  tag: (name) =>
    `a value as a part of the tag <${name}> may be any attribute: write the attribute as text and the value in quotes`,
  unquoted: (name) =>
    `the value of "${name}" has no quotes, so a space in it begins another attribute: write ${name}="{{ value }}"`,
};
