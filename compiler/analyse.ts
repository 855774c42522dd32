/** Analysis: from a tree to its facts. One walk that keeps track of the bound names. */
import type { Component, Expression, Include, Node, Template, TemplateRef } from '../grammar/ast.ts';
import { errorAt } from '../grammar/errors.ts';
import { isName, readContent } from './content-reads.ts';
import type { CollectionRead, Dependency, DependencyKind, Facts, MacroFacts, NumberRead } from './facts.ts';
import { listTemplateSlots } from './listed-slots.ts';
import { assignedName, assignedNames, namesBoundBy } from './scope.ts';
import { showsText } from './visible-text.ts';
import { listBodies, listExpressions, listOperands, walkNodes } from './walk.ts';

/** @throws TemplateError if its includes see too many variables in all */
export function analyse(template: Template): Facts {
  const found = new AnalysisState(template);
  analyseBody(found, template.body, new BindingScope(undefined, assignedNames(template.body)));
  const facts = {
    free: sorted(found.free),
    bound: sorted(found.bound),
    cycles: sorted(found.cycles),
    dependencies: kept(found.dependencies),
    blocks: kept([...found.blocks]),
    macros: kept(found.macros),
    functions: sorted(found.functions),
    outputsPageBlocks: found.outputsPageBlocks,
    hasRegions: found.count.regions > 0,
    showsText: !found.hasLayout && showsText(template.body),
    slots: sorted(found.slots),
    opensSlots: found.opensSlots,
    collections: kept(found.collections),
    assets: kept(found.assets),
    files: kept(found.files),
    pages: kept(found.pages),
  };
  return { ...facts, listedSlots: kept(listTemplateSlots(template, facts)) };
}

function sorted(names: ReadonlySet<string>): readonly string[] {
  if (names.size === 0) return empty;
  return names.size === 1 ? [...names] : [...names].sort();
}

/** Empty lists share one array: facts are kept for every template, and most lists in them are empty. */
function kept<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? empty : list;
}

const empty: readonly never[] = Object.freeze([]);

/** Limit of the variables visible at the includes of a template, summed up: an include may need them all. */
const maxNamesBound = 100_000;

/** What the walk has found so far. A class, because V8 makes an object with empty lists in it in many steps. */
class AnalysisState {
  readonly template: Template;
  /** Whether the template extends another: what stands outside of its blocks is then dropped. */
  readonly hasLayout: boolean;
  /** `conditions`: the number of tags around the current one that may skip their bodies. */
  readonly count = { namesBound: 0, conditions: 0, regions: 0 };
  readonly free = new Set<string>();
  readonly bound = new Set<string>();
  readonly cycles = new Set<string>();
  readonly functions = new Set<string>();
  readonly macros: readonly MacroFacts[];
  readonly dependencies: Dependency[] = [];
  readonly blocks = new Set<string>();
  readonly slots = new Set<string>();
  opensSlots = false;
  readonly collections: CollectionRead[] = [];
  readonly assets: NumberRead[] = [];
  readonly files: NumberRead[] = [];
  readonly pages: NumberRead[] = [];
  outputsPageBlocks = false;

  constructor(template: Template) {
    this.template = template;
    this.hasLayout = template.body.some(({ type }) => type === 'Extends');
    this.macros = macrosIn(template.body);
  }
}

/** The names bound at a node: those of the innermost scope, and those of the scopes around it. */
class BindingScope {
  readonly #outer: BindingScope | undefined;
  readonly #names: ReadonlySet<string>;

  constructor(outer: BindingScope | undefined, names: Iterable<string>) {
    this.#outer = outer;
    this.#names = new Set(names);
  }

  has(name: string): boolean {
    return this.#names.has(name) || (this.#outer?.has(name) ?? false);
  }

  all(): ReadonlySet<string> {
    return this.#outer === undefined ? this.#names : new Set([...this.#outer.all(), ...this.#names]);
  }
}

/** All macros of the template. Every part of it can call them by name. Of equal names the first counts. */
function macrosIn(nodes: readonly Node[]): MacroFacts[] {
  const macros = new Map<string, MacroFacts>();
  walkNodes(nodes, (node) => {
    if (node.type !== 'Macro' || macros.has(node.name)) return;
    macros.set(node.name, { name: node.name, params: node.params.map(({ name }) => ({ name })) });
  });
  return [...macros.values()];
}

function analyseBody(found: AnalysisState, nodes: readonly Node[], bound: BindingScope): void {
  for (const node of nodes) analyseNode(found, node, bound);
}

function analyseNode(found: AnalysisState, node: Node, bound: BindingScope): void {
  // Most nodes are one of these two: they bind nothing and have no bodies.
  if (node.type === 'Text') return;
  if (node.type === 'Output') {
    analyseExpression(found, node.value, bound);
    return;
  }
  const conditions = isConditional(node) ? 1 : 0;
  found.count.conditions += conditions;
  for (const name of namesBoundBy(node)) found.bound.add(name);
  if (node.type === 'Cycle' && node.as !== undefined) found.cycles.add(node.as);
  readOuterValue(found, node, bound);
  analyseParts(found, node, bound);
  found.count.conditions -= conditions;
}

/** Whether a render may skip a body of the node, or output something else in its place. */
function isConditional({ type }: Node): boolean {
  return conditional.has(type);
}

const conditional: ReadonlySet<Node['type']> = new Set([
  'If',
  'For',
  'IfChanged',
  'Block',
  'Macro',
  'Slot',
  'Region',
]);

function analyseParts(found: AnalysisState, node: Node, bound: BindingScope): void {
  switch (node.type) {
    case 'For': {
      analyseExpressions(found, node, bound);
      const inner = new BindingScope(bound, [...node.targets, 'forloop', ...assignedNames(node.body)]);
      analyseBody(found, node.body, inner);
      if (node.empty) analyseBody(found, node.empty, new BindingScope(bound, assignedNames(node.empty)));
      return;
    }
    case 'With':
      analyseExpressions(found, node, bound);
      analyseBody(
        found,
        node.body,
        new BindingScope(bound, [...node.bindings.map(({ name }) => name), ...assignedNames(node.body)]),
      );
      return;
    case 'Macro':
      // A macro sees its parameters and the render context. It reads the context directly: no name is free.
      analyseMacro(
        found,
        node,
        new BindingScope(undefined, [...node.params.map(({ name }) => name), ...assignedNames(node.body)]),
      );
      return;
    case 'Regroup':
      analyseExpression(found, node.list, bound);
      analyseExpression(found, node.key, new BindingScope(bound, [node.entry]));
      return;
    case 'Slot':
      found.slots.add(node.name);
      readName(found, 'slots', bound);
      analyseBody(found, node.fallback, new BindingScope(bound, assignedNames(node.fallback)));
      return;
    case 'Block':
      found.blocks.add(node.name);
      analyseBody(found, node.body, new BindingScope(bound, assignedNames(node.body)));
      return;
    default:
      // `ifchanged` keeps its memory in the loop around it, which may be a loop of the caller: it reads
      // `forloop`. `querystring` without a base starts with the query of the request: it reads `route`.
      if (node.type === 'Blocks' && isPageBlocks(node.tree)) found.outputsPageBlocks = true;
      if (node.type === 'Region') found.count.regions += 1;
      if (node.type === 'IfChanged') readName(found, 'forloop', bound);
      if (node.type === 'QueryString' && node.bases.length === 0) readName(found, 'route', bound);
      analyseExpressions(found, node, bound);
      addDependency(found, node, bound);
      // The content of a component is output only where the component has the slot.
      if (opensScope(node)) found.count.conditions += 1;
      for (const body of listBodies(node)) {
        analyseBody(found, body, opensScope(node) ? new BindingScope(bound, assignedNames(body)) : bound);
      }
      if (opensScope(node)) found.count.conditions -= 1;
  }
}

function opensScope(node: Node): boolean {
  return node.type === 'Component';
}

/** An assigned name has its outer value until the assignment, so the outer value is read, too. */
function readOuterValue(found: AnalysisState, node: Node, bound: BindingScope): void {
  const name = assignedName(node);
  if (name !== undefined && bound.has(name)) found.free.add(name);
}

function readName(found: AnalysisState, name: string, bound: BindingScope): void {
  if (!bound.has(name)) found.free.add(name);
}

function analyseMacro(found: AnalysisState, node: Node & { type: 'Macro' }, bound: BindingScope): void {
  const inside: AnalysisState = { ...found, free: new Set() };
  for (const { default: value } of node.params) if (value) analyseExpression(inside, value, bound);
  analyseBody(inside, node.body, bound);
}

function analyseExpressions(found: AnalysisState, node: Node, bound: BindingScope): void {
  for (const expression of listExpressions(node)) analyseExpression(found, expression, bound);
}

function analyseExpression(found: AnalysisState, expression: Expression, bound: BindingScope): void {
  if (expression.type === 'Name') {
    if (expression.name === 'slots') found.opensSlots = true;
    readName(found, expression.name, bound);
  } else if (expression.type === 'Call' && expression.callee.type === 'Name') {
    found.functions.add(expression.callee.name);
    readContent(found, expression.callee.name, expression);
    for (const operand of listOperands(expression).slice(1)) analyseExpression(found, operand, bound);
  } else {
    if (expression.type === 'Member' && expression.key === 'parentloop') found.free.add('forloop');
    if (expression.type === 'Member' && isName(expression.object, 'slots')) {
      found.slots.add(expression.key);
      readName(found, 'slots', bound);
      return;
    }
    for (const operand of listOperands(expression)) analyseExpression(found, operand, bound);
  }
}

function addDependency(found: AnalysisState, node: Node, bound: BindingScope): void {
  switch (node.type) {
    case 'Include':
      found.dependencies.push(dependency(found, 'include', node.template, node, bound, !node.only));
      return;
    case 'Component':
      found.dependencies.push(dependency(found, 'component', node.template, node, bound, false));
      return;
    case 'Extends':
    case 'Import':
      found.dependencies.push(
        dependency(
          found,
          node.type === 'Extends' ? 'extends' : 'import',
          node.template,
          node,
          bound,
          node.type === 'Extends',
        ),
      );
      return;
    default:
  }
}

/** False for `forloop`: `forloop.parentloop` of a loop in this template leads to the loop of the caller. */
function isSettledHere(name: string): boolean {
  return name !== 'forloop';
}

function dependency(
  found: AnalysisState,
  kind: DependencyKind,
  template: TemplateRef,
  node: Pick<Include | Component, 'start'> & { readonly bindings?: Include['bindings'] },
  bound: BindingScope,
  seesCaller: boolean,
): Dependency {
  return {
    kind,
    name: template.kind === 'expression' ? null : template.name,
    word: template.kind === 'word' && template.lookup !== undefined,
    offset: node.start,
    binds: seesCaller ? boundAt(found, node, bound) : [],
    seesCaller,
    always: kind === 'extends' || (found.count.conditions === 0 && !found.hasLayout),
  };
}

function boundAt(
  { template, count }: AnalysisState,
  { start, bindings = [] }: { readonly start: number; readonly bindings?: Include['bindings'] },
  bound: BindingScope,
): readonly string[] {
  const names = new Set([...bound.all(), ...bindings.map(({ name }) => name)]);
  count.namesBound += names.size;
  if (count.namesBound > maxNamesBound) {
    const limit = maxNamesBound.toLocaleString('en');
    throw errorAt(template, start, `the includes of this template see more than ${limit} variables in all`);
  }
  return [...names].filter(isSettledHere).sort();
}

function isPageBlocks(expression: Expression): boolean {
  return expression.type === 'Member' && expression.key === 'blocks' && isName(expression.object, 'page');
}
