/**
 * Finds variables that do not exist, and functions used without a call. Certain only in a page: all variables
 * it can have are those of the system, its own, and those that its layouts bind around their blocks. A snippet
 * also has the variables of the templates that include it; there only a name of the system with two letters
 * swapped is reported.
 */
import type { Expression, Name, Node, TemplateRef } from '../../grammar/ast.ts';
import { asQuestion, nearest } from '../../grammar/suggest.ts';
import { maxFindings } from '../check.ts';
import { foreignVariables } from '../foreign.ts';
import { listBodies, listExpressions, listOperands } from '../walk.ts';
import type { SystemObjects } from './content-lookup.ts';
import { layoutsAbove } from './layouts.ts';
import { reportSnippet } from './references.ts';
import { type CheckedTemplate, type FindingText, withSuggestion } from './report.ts';
import { type AssignedNames, assignedInScopes, VisibleNames } from './visible-names.ts';

export function reportVariables(subject: CheckedTemplate): void {
  const { template, facts, world, options, report } = subject;
  const { layouts, isComplete } = layoutsAbove(subject);
  if (world.system === undefined || !isComplete) return;
  const assigned = assignedInScopes(template.body);
  const search: Search = {
    subject,
    system: world.system,
    assigned,
    everywhere: new Set([
      ...world.system.variables.keys(),
      ...assigned.byCycles,
      ...layouts.flatMap(({ bound }) => bound),
      // `{{ block.super }}` may output another block of the template, with the variables at its place.
      ...(layouts.length > 0 && facts.free.includes('block') ? facts.bound : []),
      // Known in blocks, and in the snippets of block types and components.
      'block',
      'slots',
    ]),
    callable: new Set([...options.functions.keys(), ...facts.macros.map(({ name }) => name)]),
    // A template with a layout gives its own variables to the render context, which its macros read.
    inMacros: layouts.length === 0 ? new Set() : (assigned.byBody.get(template.body) ?? new Set()),
    visible: new VisibleNames(),
    knownInPartials: new Set(),
    partials: 0,
    unknown: [],
  };
  searchScope(template.body, [], search);
  for (const { offset, isCallable, text } of search.unknown) {
    if (search.knownInPartials.has(offset)) continue;
    report(offset, isCallable ? 'template.notCalled' : 'template.unknownVariable', () => text);
  }
}

interface Search {
  readonly subject: CheckedTemplate;
  readonly system: SystemObjects;
  readonly assigned: AssignedNames;
  /** Names that count as known at every place. */
  readonly everywhere: ReadonlySet<string>;
  /** Names of functions and macros. */
  readonly callable: Set<string>;
  /** Names of the template that its macros see. */
  readonly inMacros: ReadonlySet<string>;
  /** The names at the place of the walk, besides those that are known everywhere. */
  visible: VisibleNames;
  /** The number of partials around the place of the walk. */
  partials: number;
  /** Offsets in bodies of partials. A name there counts as unknown if it is so wherever the partial stands. */
  readonly knownInPartials: Set<number>;
  readonly unknown: UnknownName[];
}

interface UnknownName {
  readonly offset: number;
  readonly isCallable: boolean;
  readonly text: FindingText;
}

/** @param names that the tag binds for this body */
function searchScope(body: readonly Node[], names: readonly string[], search: Search): void {
  const assigned = search.assigned.byBody.get(body) ?? [];
  search.visible.within([...names, ...assigned], () => searchNodes(body, search));
}

function searchNodes(nodes: readonly Node[], search: Search): void {
  for (const node of nodes) {
    if (node.type === 'Import') for (const { alias } of node.names) search.callable.add(alias);
    const wordLookup = lookupOf(node);
    for (const expression of listExpressions(node)) {
      if (expression === wordLookup) searchWord(node, expression, search);
      else if (node.type === 'Regroup' && expression === node.key)
        search.visible.within([node.entry], () => searchExpression(expression, search));
      else if (node.type !== 'Macro') searchExpression(expression, search);
    }
    searchBodies(node, search);
  }
}

function searchBodies(node: Node, search: Search): void {
  switch (node.type) {
    case 'For':
      searchScope(node.body, [...node.targets, 'forloop'], search);
      if (node.empty) searchScope(node.empty, [], search);
      return;
    case 'With':
      searchScope(
        node.body,
        node.bindings.map(({ name }) => name),
        search,
      );
      return;
    case 'Macro': {
      const outside = search.visible;
      search.visible = new VisibleNames();
      const names = [...search.inMacros, ...node.params.map(({ name }) => name)];
      search.visible.within(names, () => {
        for (const expression of listExpressions(node)) searchExpression(expression, search);
        searchScope(node.body, [], search);
      });
      search.visible = outside;
      return;
    }
    case 'Partial':
      search.partials += 1;
      searchNodes(node.body, search);
      search.partials -= 1;
      return;
    default:
      for (const body of listBodies(node)) searchScope(body, [], search);
  }
}

function searchExpression(expression: Expression, search: Search): void {
  if (expression.type === 'Name') searchName(expression, search);
  const isCall = expression.type === 'Call';
  for (const operand of listOperands(expression))
    if (!isCall || operand !== expression.callee) searchExpression(operand, search);
}

function searchName(expression: Name, search: Search): void {
  const { name, start } = expression;
  const { subject, system, partials, knownInPartials, unknown } = search;
  if (isVisible(name, search)) {
    if (partials > 0) knownInPartials.add(start);
  } else if (unknown.length < maxFindings) {
    if (subject.world.isPage !== true && !isSwapped(name, system.variables.keys())) return;
    const isCallable = search.callable.has(name);
    const text = isCallable ? notCalled(name) : unknownName(name, search);
    unknown.push({ offset: start, isCallable, text });
  }
}

function isVisible(name: string, { everywhere, visible }: Search): boolean {
  return everywhere.has(name) || visible.has(name);
}

function notCalled(name: string): FindingText {
  const suggestion = `${name}()`;
  return { reason: `"${name}" is a function: write ${suggestion}`, params: { name, suggestion } };
}

function unknownName(name: string, search: Search): FindingText {
  const suggestion = suggestedName(name, search);
  const reason = search.subject.facts.bound.includes(name)
    ? `"${name}" is not known here, only inside the tag that binds it`
    : `there is no variable "${name}"${asQuestion(suggestion)}`;
  return { reason, params: withSuggestion({ name }, suggestion) };
}

/** A field of the page or website of that name, else a near variable. */
function suggestedName(name: string, { system, everywhere, visible }: Search): string | undefined {
  for (const owner of ['page', 'site']) {
    const fields = system.variables.get(owner);
    if (fields instanceof Set && fields.has(name)) return `${owner}.${name}`;
  }
  return nearest(name, [...visible.all(), ...everywhere], foreignVariables);
}

/** Whether two neighbouring letters of one of the words are swapped in `name`. */
function isSwapped(name: string, words: Iterable<string>): boolean {
  const letters = (word: string) => [...word].sort().join('');
  for (const word of words)
    if (letters(word) === letters(name) && nearest(name, [word]) !== undefined) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------- bare words

/** The variable that a bare word may be, in place of the name of a template. */
function lookupOf(node: Node): Expression | undefined {
  if (!('template' in node)) return undefined;
  const template: TemplateRef = node.template;
  return template.kind === 'word' ? template.lookup : undefined;
}

/** In a page it is certain whether the word is a variable. If it is none, it is the name of a snippet. */
function searchWord(node: Node, lookup: Expression, search: Search): void {
  if (!('template' in node) || node.template.kind !== 'word') return;
  let root = lookup;
  while (root.type === 'Member') root = root.object;
  if (search.subject.world.isPage !== true || root.type !== 'Name' || isVisible(root.name, search)) return;
  reportSnippet(node.template.name, node.start, search.subject);
}
