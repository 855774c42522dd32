/**
 * Static findings that make a template unusable, each a small function over the tree. A new rule is a new entry in
 * `rules`.
 */
import type { Block, Expression, Macro, Node, Template } from '../grammar/ast.ts';
import { didYouMean, errorAt, type TemplateError } from '../grammar/errors.ts';
import type { Facts } from './facts.ts';
import type { CompilerOptions } from './options.ts';
import { assignedNames } from './scope.ts';
import { bodiesOf, expressionsOf, walkExpression, walkNodes } from './walk.ts';

/** All findings, in order of position. A template with none can be compiled. */
export function check(template: Template, facts: Facts, options: CompilerOptions): TemplateError[] {
  const findings: Finding[] = [];
  for (const rule of rules)
    rule({ template, facts, options }, (offset, reason) => findings.push({ offset, reason }));
  findings.sort((a, b) => a.offset - b.offset);
  return findings.map(({ offset, reason }) => errorAt(template, offset, reason));
}

interface Finding {
  readonly offset: number;
  readonly reason: string;
}

interface Subject {
  readonly template: Template;
  readonly facts: Facts;
  readonly options: CompilerOptions;
}

type Report = (offset: number, reason: string) => void;

const rules: readonly ((subject: Subject, report: Report) => void)[] = [
  extendsComesFirst,
  blockNamesAreUnique,
  macroNamesAreUnique,
  macroParametersAreUnique,
  filtersAreKnown,
  callsAreKnown,
  cyclesAreDeclared,
  resetsFollowACycle,
  filterBlocksLeaveEscapingAlone,
  forloopIsNotAssigned,
];

function extendsComesFirst({ template }: Subject, report: Report): void {
  const before = new Set<Node['type']>(['Text', 'Set', 'Import', 'Macro']);
  let seen = false;
  walkNodes(template.body, (node) => {
    if (node.type !== 'Extends') return;
    if (seen) report(node.start, 'a second {% extends %}: a template has one layout');
    else if (!template.body.includes(node))
      report(node.start, '{% extends %} cannot stand inside another tag');
    else if (
      template.body.slice(0, template.body.indexOf(node)).some((earlier) => !before.has(earlier.type))
    ) {
      report(node.start, '{% extends %} must be the first tag of the template');
    }
    seen = true;
  });
}

function blockNamesAreUnique({ template }: Subject, report: Report): void {
  namesAreUnique(template, 'Block', (node) =>
    report(node.start, `a second {% block ${node.name} %}: names of blocks are unique`),
  );
}

function macroNamesAreUnique({ template }: Subject, report: Report): void {
  namesAreUnique(template, 'Macro', (node) =>
    report(node.start, `a second {% macro ${node.name} %}: names of macros are unique`),
  );
}

function macroParametersAreUnique({ template }: Subject, report: Report): void {
  walkNodes(template.body, (node) => {
    if (node.type !== 'Macro') return;
    const names = new Set<string>();
    for (const { name, start } of node.params) {
      if (names.has(name)) report(start, `the macro "${node.name}" has the parameter "${name}" twice`);
      names.add(name);
    }
  });
}

/** The same node may stand at several places, as part of a partial; that is one definition. */
function namesAreUnique(
  template: Template,
  type: 'Block' | 'Macro',
  report: (node: Block | Macro) => void,
): void {
  const definitions = new Map<string, Node>();
  walkNodes(template.body, (node) => {
    if (node.type !== type) return;
    const earlier = definitions.get(node.name);
    if (earlier !== undefined && earlier !== node) report(node);
    definitions.set(node.name, node);
  });
}

function filtersAreKnown({ template, options }: Subject, report: Report): void {
  eachExpression(template, (expression) => {
    if (expression.type !== 'Filter') return;
    const { name, nameStart, args } = expression;
    const signature = options.filters.get(name);
    if (signature === undefined) {
      report(nameStart, `unknown filter "${name}"${didYouMean(name, options.filters.keys())}`);
      return;
    }
    const [fewest, most] = signature.args;
    if (args.length < fewest || args.length > most) {
      report(nameStart, `filter "${name}" takes ${countOf(fewest, most)}, not ${args.length}`);
    }
  });
}

function countOf(fewest: number, most: number): string {
  const plural = most === 1 ? 'argument' : 'arguments';
  if (most === 0) return 'no arguments';
  return fewest === most ? `${most} ${plural}` : `${fewest} to ${most} ${plural}`;
}

function callsAreKnown({ template, facts, options }: Subject, report: Report): void {
  const imported = new Set<string>();
  walkNodes(template.body, (node) => {
    if (node.type === 'Import') for (const { alias } of node.names) imported.add(alias);
  });
  const known = new Set([...facts.macros.map(({ name }) => name), ...imported, ...options.functions.keys()]);
  eachExpression(template, (expression) => {
    if (expression.type !== 'Call') return;
    const { callee } = expression;
    if (callee.type !== 'Name') {
      report(expression.start, 'only macros and template functions can be called, by their plain name');
    } else if (!known.has(callee.name)) {
      report(callee.start, `unknown function "${callee.name}"${didYouMean(callee.name, known)}`);
    }
  });
}

function cyclesAreDeclared({ template }: Subject, report: Report): void {
  const declared = new Set<string>();
  walkNodes(template.body, (node) => {
    if (node.type === 'Cycle' && node.as !== undefined) declared.add(node.as);
  });
  walkNodes(template.body, (node) => {
    if (node.type !== 'CycleNext' || declared.has(node.name)) return;
    report(
      node.start,
      `no {% cycle ... as ${node.name} %} in this template${didYouMean(node.name, declared)}`,
    );
  });
}

function resetsFollowACycle({ template }: Subject, report: Report): void {
  const named = new Set<string>();
  let anyBefore = false;
  walkNodes(template.body, (node) => {
    if (node.type === 'Cycle') {
      anyBefore = true;
      if (node.as !== undefined) named.add(node.as);
    }
    if (node.type !== 'ResetCycle') return;
    if (node.name !== undefined && !named.has(node.name))
      report(node.start, `no {% cycle ... as ${node.name} %} before this`);
    else if (!anyBefore) report(node.start, 'no {% cycle %} before this');
  });
}

function filterBlocksLeaveEscapingAlone({ template }: Subject, report: Report): void {
  walkNodes(template.body, (node) => {
    if (node.type !== 'FilterBlock') return;
    walkExpression(node.value, (expression) => {
      if (expression.type !== 'Filter' || (expression.name !== 'escape' && expression.name !== 'safe'))
        return;
      report(expression.nameStart, `{% filter ${expression.name} %} is not allowed, use {% autoescape %}`);
    });
  });
}

function forloopIsNotAssigned({ template }: Subject, report: Report): void {
  walkNodes(template.body, (node) => {
    if (bodiesOf(node).length === 0 && assignedNames([node]).includes('forloop')) {
      report(node.start, '"forloop" belongs to {% for %} and cannot be assigned');
    }
  });
}

function eachExpression(template: Template, visit: (expression: Expression) => void): void {
  walkNodes(template.body, (node) => {
    for (const expression of expressionsOf(node)) walkExpression(expression, visit);
  });
}
