/**
 * The compiler: from the text of a template to functions that call each other. The phases, in order:
 *
 *  1. parse     text to syntax tree                                                   grammar/
 *  2. analyse   tree to facts                                                         analyse.ts
 *  3. check     mistakes that make the template unusable                              check.ts
 *  4. reach     facts of the template together with all templates it reaches          transitive-facts.ts
 *  5. find      names that do not exist, values for which escaping is not enough      findings/
 *  6. emit      tree and facts to one unit of JavaScript                              emit/
 *  7. link      units to functions, names to templates, blocks to layouts             link/
 *
 * {@link compileTemplate} runs the first six phases on one text and keeps the result of each. A
 * {@link Linker} runs them for all templates of an engine, each phase when its result is first needed, and
 * adds the last phase.
 *
 * This file is the only one that other folders import.
 */
import type { Template } from '../grammar/ast.ts';
import type { TemplateError } from '../grammar/errors.ts';
import { parse } from '../grammar/parse.ts';
import { analyse } from './analyse.ts';
import { check } from './check.ts';
import { emitUnit, type UnitCode } from './emit/index.ts';
import type { TemplateLookup } from './emit/variant.ts';
import type { Facts } from './facts.ts';
import type { ContentLookup } from './findings/content-lookup.ts';
import { findProblems } from './findings/index.ts';
import type { Finding, OtherTemplateFacts } from './findings/report.ts';
import { plainVariant } from './link/variants.ts';
import type { CompilerOptions } from './options.ts';
import { collectRegions, type PageRegion } from './regions.ts';
import type { TransitiveFacts } from './transitive-facts.ts';

/** Questions that the compiler may ask about other templates. */
export interface OtherTemplates {
  /** The tree of a named template that has no mistakes; undefined if there is none. */
  treeOf(name: string): Template | undefined;
  /** Facts of a named template; undefined if there is none or it does not parse. */
  factsOf(name: string): Facts | undefined;
  /** Facts about a template together with all templates it reaches. */
  reachOf(facts: Facts): TransitiveFacts;
  /** Questions that emit may ask about named templates. */
  readonly surroundings: TemplateLookup;
}

/** One template with the result of each phase. */
export interface CompiledTemplate {
  readonly template: Template;
  readonly facts: Facts;
  /** In order of position. A template without mistakes can be emitted. */
  readonly mistakes: readonly TemplateError[];
  readonly reach: TransitiveFacts;
  /** Empty if there are mistakes. */
  readonly findings: readonly Finding[];
  /** The regions of the text, if it is one of a page; empty if there are mistakes. */
  readonly regions: readonly PageRegion[];
  /** The code for a render that begins with this template. @throws TemplateError if there are mistakes */
  emit(): UnitCode;
}

/**
 * Runs the phases on one text.
 *
 * @param named whether other templates can refer to the template by its name
 * @throws TemplateError if the text does not parse
 */
export function compileTemplate(
  { source, name, named }: { readonly source: string; readonly name: string; readonly named: boolean },
  options: CompilerOptions,
  world: ContentLookup,
  others: OtherTemplates,
): CompiledTemplate {
  const template = parse(source, name);
  const facts = analyse(template);
  const mistakes = check(template, facts, options);
  const reach = others.reachOf(facts);
  const findings = mistakes.length > 0 ? [] : findProblems(template, facts, world, options, othersOf(others));
  return {
    template,
    facts,
    mistakes,
    reach,
    findings,
    get regions() {
      return mistakes.length > 0 ? [] : collectRegions(template, facts, others);
    },
    emit() {
      const [mistake] = mistakes;
      if (mistake !== undefined) throw mistake;
      const { surroundings } = others;
      const variant = plainVariant(reach.async);
      return emitUnit({ template, facts, options, surroundings, variant, outlets: [], named });
    },
  };
}

/** Names of the regions of a text, without checking it. @throws TemplateError if it does not parse */
export function findRegionNames(
  { source, name }: { readonly source: string; readonly name: string },
  others: Pick<OtherTemplates, 'treeOf' | 'factsOf'>,
): readonly string[] {
  const template = parse(source, name);
  return collectRegions(template, analyse(template), others).map((region) => region.name);
}

function othersOf(others: OtherTemplates): OtherTemplateFacts {
  return {
    treeOf: (name) => others.treeOf(name),
    factsOf: (name) => others.factsOf(name),
    readsOf: (name) => (others.factsOf(name) === undefined ? undefined : others.surroundings.reads(name)),
  };
}

export { type CacheKeeping, DiskCache, keepFile } from './cache.ts';
export type { HelperName } from './emit/helpers.ts';
export type { UnitCode } from './emit/index.ts';
export type { Variant } from './emit/variant.ts';
export type { Facts } from './facts.ts';
export type { ContentLookup, SystemObjects } from './findings/content-lookup.ts';
export { type FindingLevel, findingLevels, type TemplateCode } from './findings/levels.ts';
export type { Finding } from './findings/report.ts';
export { MissingTemplate } from './link/cells.ts';
export { Linker } from './link/linker.ts';
export type {
  BlockTable,
  CompileCounts,
  CompiledFunction,
  ComponentCode,
  Linked,
  LoadedTemplate,
} from './link/model.ts';
export { plainVariant } from './link/variants.ts';
export { variableAt } from './operands.ts';
export type { CompilerOptions } from './options.ts';
export { isParameterName } from './parameter-name.ts';
export { regionTypes } from './region-definition.ts';
export type { PageRegion } from './regions.ts';
export { richtextTools } from './richtext-tools.ts';
export { choosesByRoute, findCollectionReads, findVariableReads } from './variable-reads.ts';
