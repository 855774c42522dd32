/** Finds macros that a template imports and that do not exist, and calls that a macro cannot take. */
import type { Call, Expression, Import, Node } from '../../grammar/ast.ts';
import { asQuestion, nearest } from '../../grammar/suggest.ts';
import type { MacroFacts } from '../facts.ts';
import { listExpressions, walkExpression, walkNodes } from '../walk.ts';
import { type CheckedTemplate, withSuggestion } from './report.ts';

export function reportMacros(subject: CheckedTemplate): void {
  const { template, facts, report } = subject;
  const macros = new Map<string, MacroFacts | undefined>();
  const calls: Call[] = [];
  walkNodes(template.body, (node) => {
    if (node.type === 'Import') for (const macro of importedBy(node, subject)) macros.set(...macro);
    for (const expression of callsIn(node)) calls.push(expression);
  });
  // A macro of the template itself counts before an imported one of the same name.
  for (const macro of facts.macros) macros.set(macro.name, macro);
  for (const call of calls) {
    const macro = call.callee.type === 'Name' ? macros.get(call.callee.name) : undefined;
    const wrong = macro && wrongArgument(call, macro);
    if (wrong === undefined || macro === undefined) continue;
    report(wrong.offset, 'template.unknownMacro', () => {
      const suggestion = nearest(wrong.name, parametersOf(macro));
      return {
        reason: `${wrong.reason}${asQuestion(suggestion)}`,
        params: withSuggestion({ name: macro.name }, suggestion),
      };
    });
  }
}

function callsIn(node: Node): readonly Call[] {
  const calls: Call[] = [];
  const visit = (expression: Expression) => {
    if (expression.type === 'Call') calls.push(expression);
  };
  for (const expression of listExpressions(node)) walkExpression(expression, visit);
  return calls;
}

/** The imported macros by the names that they have here; undefined for one that is not known. */
function importedBy(node: Import, { others, report }: CheckedTemplate): [string, MacroFacts | undefined][] {
  // A bare word counts as a name if there is such a snippet.
  const name = node.template.kind === 'expression' ? undefined : node.template.name;
  const facts = name === undefined ? undefined : others.factsOf(name);
  return node.names.map((imported) => {
    const macro = facts?.macros.find((candidate) => candidate.name === imported.name);
    if (facts !== undefined && macro === undefined) {
      report(imported.start, 'template.unknownMacro', () => {
        const names = facts.macros.map((candidate) => candidate.name);
        const suggestion = nearest(imported.name, names);
        const reason = `"${name}" has no macro "${imported.name}"${asQuestion(suggestion)}`;
        return { reason, params: withSuggestion({ name: imported.name }, suggestion) };
      });
    }
    return [imported.alias, macro];
  });
}

interface WrongArgument {
  readonly offset: number;
  /** The name of the argument; empty if it has none. */
  readonly name: string;
  readonly reason: string;
}

/** The first argument that the macro cannot take. Emit refuses the same calls when the template is rendered. */
function wrongArgument({ args, named, start }: Call, macro: MacroFacts): WrongArgument | undefined {
  const parameters = parametersOf(macro);
  const list = parameters.length === 0 ? 'no arguments' : parameters.join(', ');
  if (args.length > parameters.length) {
    return { offset: start, name: '', reason: `too many arguments: the macro "${macro.name}" takes ${list}` };
  }
  const given = new Set(parameters.slice(0, args.length));
  for (const { name, start: offset } of named) {
    if (!parameters.includes(name))
      return {
        offset,
        name,
        reason: `the macro "${macro.name}" has no parameter "${name}", it takes ${list}`,
      };
    if (given.has(name)) return { offset, name: '', reason: `parameter "${name}" is given twice` };
    given.add(name);
  }
  return undefined;
}

function parametersOf({ params }: MacroFacts): readonly string[] {
  return params.map(({ name }) => name);
}
