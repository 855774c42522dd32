/**
 * Static findings that make a template unusable. Each rule is a small function over one type of node or
 * expression. A new rule is a new entry in `nodeRules` or `expressionRules`. One walk serves all rules.
 */
import type { Block, Expression, Extends, FilterBlock, Macro, Node, Template } from '../grammar/ast.ts';
import { ErrorPlaces, type TemplateError } from '../grammar/errors.ts';
import { didYouMean } from '../grammar/suggest.ts';
import type { Facts } from './facts.ts';
import { foreignFilters, foreignFunctions } from './foreign.ts';
import type { CompilerOptions } from './options.ts';
import { assignedName } from './scope.ts';
import { listBodies, listExpressions, listOperands, walkExpression } from './walk.ts';

/** The first findings in order of position, at most 100. A template without findings can be compiled. */
export function check(template: Template, facts: Facts, options: CompilerOptions): TemplateError[] {
  const subject = new Subject(template, facts, options);
  checkNodes(subject, template.body);
  callsAreKnown(subject);
  cyclesAreDeclared(subject);
  if (subject.findings.length === 0) return [];
  const errors = new ErrorPlaces(template);
  return subject.findings
    .sort((a, b) => a.offset - b.offset)
    .slice(0, maxFindings)
    .map(({ offset, reason }) => errors.at(offset, reason()));
}

/** More than anyone reads. */
export const maxFindings = 100;

interface Finding {
  readonly offset: number;
  /** A function, so that only reported findings pay for their text. */
  readonly reason: () => string;
}

/** The template that is checked, and the findings and names of the walk so far. */
class Subject {
  readonly template: Template;
  readonly facts: Facts;
  readonly options: CompilerOptions;
  readonly findings: Finding[] = [];
  /** The first node that may not stand before {% extends %}. A correct {% extends %} is this node itself. */
  readonly firstTag: Node | undefined;
  readonly blocks = new Map<string, Block>();
  readonly macros = new Map<string, Macro>();
  /** Names of imported macros. They can be called like macros of the template and template functions. */
  readonly imported = new Set<string>();
  readonly calls: CallOf[] = [];
  readonly namedCycles = new Set<string>();
  readonly cycleUses: NodeOf<'CycleNext'>[] = [];
  anyCycle = false;
  anyExtends = false;

  constructor(template: Template, facts: Facts, options: CompilerOptions) {
    this.template = template;
    this.firstTag = template.body.find(({ type }) => !beforeExtends.has(type));
    this.facts = facts;
    this.options = options;
  }

  report(offset: number, reason: () => string): void {
    this.findings.push({ offset, reason });
  }
}

type NodeOf<Type extends Node['type']> = Extract<Node, { readonly type: Type }>;
type ExpressionOf<Type extends Expression['type']> = Extract<Expression, { readonly type: Type }>;
type CallOf = ExpressionOf<'Call'>;

const nodeRules: {
  readonly [Type in Node['type']]?: readonly ((subject: Subject, node: NodeOf<Type>) => void)[];
} = {
  Extends: [extendsComesFirst],
  Block: [blockNamesAreUnique],
  Macro: [macroNamesAreUnique, macroParametersAreUnique],
  Import: [rememberImports],
  FilterBlock: [filterBlocksLeaveEscapingAlone],
  Set: [forloopIsNotAssigned],
  FirstOf: [forloopIsNotAssigned],
  Now: [forloopIsNotAssigned],
  Regroup: [forloopIsNotAssigned],
  WidthRatio: [forloopIsNotAssigned],
  Cycle: [forloopIsNotAssigned, rememberCycle],
  CycleNext: [(subject, node) => subject.cycleUses.push(node)],
  ResetCycle: [resetsFollowACycle],
};

const expressionRules: {
  readonly [Type in Expression['type']]?: (subject: Subject, expression: ExpressionOf<Type>) => void;
} = {
  Filter: filtersAreKnown,
  Call: (subject, call) => subject.calls.push(call),
};

/** Parents before children, in document order. */
function checkNodes(subject: Subject, nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (node.type === 'Text') continue;
    checkNode(subject, node);
    for (const expression of listExpressions(node)) checkExpression(subject, expression);
    for (const body of listBodies(node)) checkNodes(subject, body);
  }
}

function checkNode<Type extends Node['type']>(subject: Subject, node: NodeOf<Type>): void {
  const rules: readonly ((subject: Subject, node: NodeOf<Type>) => void)[] | undefined =
    nodeRules[node.type as Type];
  if (rules !== undefined) for (const rule of rules) rule(subject, node);
}

function checkExpression<Type extends Expression['type']>(
  subject: Subject,
  expression: ExpressionOf<Type>,
): void {
  const rule: ((subject: Subject, expression: ExpressionOf<Type>) => void) | undefined =
    expressionRules[expression.type as Type];
  rule?.(subject, expression);
  for (const operand of listOperands(expression)) checkExpression(subject, operand);
}

// ------------------------------------------------------------------------------------------------- nodes

const beforeExtends: ReadonlySet<Node['type']> = new Set(['Text', 'Set', 'Import', 'Macro']);

function extendsComesFirst(subject: Subject, node: Extends): void {
  const { firstTag, template } = subject;
  if (subject.anyExtends)
    subject.report(node.start, () => 'a second {% extends %}: a template has one layout');
  else if (node !== firstTag) {
    subject.report(node.start, () =>
      template.body.includes(node)
        ? '{% extends %} must be the first tag of the template'
        : '{% extends %} cannot stand inside another tag',
    );
  }
  subject.anyExtends = true;
}

/** The same node may occur several times in the tree, as part of a partial. That is one definition. */
function blockNamesAreUnique(subject: Subject, node: Block): void {
  const earlier = subject.blocks.get(node.name);
  if (earlier !== undefined && earlier !== node)
    subject.report(node.start, () => `a second {% block ${node.name} %}: names of blocks are unique`);
  subject.blocks.set(node.name, node);
}

function macroNamesAreUnique(subject: Subject, node: Macro): void {
  const earlier = subject.macros.get(node.name);
  if (earlier !== undefined && earlier !== node)
    subject.report(node.start, () => `a second {% macro ${node.name} %}: names of macros are unique`);
  subject.macros.set(node.name, node);
}

function macroParametersAreUnique(subject: Subject, node: Macro): void {
  const names = new Set<string>();
  for (const { name, start } of node.params) {
    if (names.has(name))
      subject.report(start, () => `the macro "${node.name}" has the parameter "${name}" twice`);
    names.add(name);
  }
}

function filterBlocksLeaveEscapingAlone(subject: Subject, { value }: FilterBlock): void {
  walkExpression(value, (expression) => {
    if (expression.type !== 'Filter' || (expression.name !== 'escape' && expression.name !== 'safe')) return;
    subject.report(
      expression.nameStart,
      () => `{% filter ${expression.name} %} is not allowed, use {% autoescape %}`,
    );
  });
}

function forloopIsNotAssigned(subject: Subject, node: Node): void {
  if (assignedName(node) === 'forloop')
    subject.report(node.start, () => '"forloop" belongs to {% for %} and cannot be assigned');
}

function rememberImports({ imported }: Subject, { names }: NodeOf<'Import'>): void {
  for (const { alias } of names) imported.add(alias);
}

function rememberCycle(subject: Subject, { as }: NodeOf<'Cycle'>): void {
  subject.anyCycle = true;
  if (as !== undefined) subject.namedCycles.add(as);
}

function resetsFollowACycle(subject: Subject, { name, start }: NodeOf<'ResetCycle'>): void {
  if (name !== undefined && !subject.namedCycles.has(name))
    subject.report(start, () => `no {% cycle ... as ${name} %} before this`);
  else if (!subject.anyCycle) subject.report(start, () => 'no {% cycle %} before this');
}

/** Runs after the walk, because a cycle may be declared below its use. */
function cyclesAreDeclared(subject: Subject): void {
  const { cycleUses, namedCycles } = subject;
  for (const { name, start } of cycleUses) {
    if (namedCycles.has(name)) continue;
    const reason = () => `no {% cycle ... as ${name} %} in this template${didYouMean(name, namedCycles)}`;
    subject.report(start, reason);
  }
}

// ------------------------------------------------------------------------------------------- expressions

function filtersAreKnown(subject: Subject, { name, nameStart, args }: ExpressionOf<'Filter'>): void {
  const { filters } = subject.options;
  const signature = filters.get(name);
  if (signature === undefined) {
    subject.report(
      nameStart,
      () => `unknown filter "${name}"${didYouMean(name, filters.keys(), foreignFilters)}`,
    );
    return;
  }
  const [fewest, most] = signature.args;
  if (args.length < fewest || args.length > most)
    subject.report(nameStart, () => `filter "${name}" takes ${countOf(fewest, most)}, not ${args.length}`);
  else if (signature.choices !== undefined) argumentsAreChoices(subject, name, args, signature.choices);
}

function argumentsAreChoices(
  subject: Subject,
  filter: string,
  args: readonly Expression[],
  choices: readonly string[],
): void {
  for (const argument of args) {
    if (argument.type !== 'Literal' || choices.some((choice) => choice === argument.value)) continue;
    const [possible, given] = [choices.map((choice) => `"${choice}"`).join(' or '), argument.value];
    subject.report(
      argument.start,
      () => `filter "${filter}" takes ${possible} as argument, not ${JSON.stringify(given)}`,
    );
  }
}

function countOf(fewest: number, most: number): string {
  const plural = most === 1 ? 'argument' : 'arguments';
  if (most === 0) return 'no arguments';
  return fewest === most ? `${most} ${plural}` : `${fewest} to ${most} ${plural}`;
}

/** Runs after the walk, because an import may stand below a call. */
function callsAreKnown(subject: Subject): void {
  if (subject.calls.length === 0) return;
  const { facts, imported, options } = subject;
  const known = new Set([...facts.macros.map(({ name }) => name), ...imported, ...options.functions.keys()]);
  const meanings = new Map([...foreignFunctions].filter(([, meaning]) => known.has(meaning)));
  for (const { callee, start } of subject.calls) {
    if (callee.type !== 'Name') subject.report(start, () => notCallable(callee));
    else if (!known.has(callee.name))
      subject.report(
        callee.start,
        () => `unknown function "${callee.name}"${didYouMean(callee.name, known, meanings)}`,
      );
  }
}

function notCallable(callee: Expression): string {
  const isView = callee.type === 'Member' && mapViews.has(callee.key);
  const hint = isView ? `, "${callee.key}" is read without parentheses` : '';
  return `only macros and template functions can be called, by their plain name${hint}`;
}

/** Lists of a map, which Python calls as methods. */
const mapViews = new Set(['items', 'keys', 'values']);
