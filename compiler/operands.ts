/** The text of an operand as the author wrote it, for the message of an error while rendering. */
import type { Expression, Node } from '../grammar/ast.ts';
import { parse } from '../grammar/parse.ts';
import { listExpressions, walkExpression, walkNodes } from './walk.ts';

/**
 * The variable that is the operand of the filter or tag at an offset, e.g. `page.price`; undefined if the
 * operand is no variable, or if several may be meant. Parses the template: meant for errors only.
 *
 * @param offset of the name of a filter, or of a tag
 */
export function variableAt(
  { source, name }: { readonly source: string; readonly name: string },
  offset: number,
  operand: 'input' | 'argument',
): string | undefined {
  const { body, partials } = parse(source, name);
  const found: Expression[] = [];
  const visit = (node: Node) => {
    if (node.start === offset && operand === 'argument') found.push(...tagOperands(node));
    for (const expression of listExpressions(node)) {
      walkExpression(expression, (part) => {
        if (part.type !== 'Filter' || part.nameStart !== offset) return;
        found.push(...(operand === 'input' ? [part.input] : part.args));
      });
    }
  };
  walkNodes(body, visit);
  for (const partial of partials.values()) walkNodes(partial, visit);
  const texts = new Set(found.filter(isVariable).map(({ start, end }) => source.slice(start, end)));
  return texts.size === 1 ? [...texts][0] : undefined;
}

/** The values that a tag cannot do without. */
function tagOperands(node: Node): readonly Expression[] {
  switch (node.type) {
    case 'Include':
    case 'Component':
    case 'Extends':
      return node.template.kind === 'expression' ? [node.template.value] : [];
    case 'WidthRatio':
      return [node.width];
    case 'Cache':
      return [node.timeout];
    default:
      return [];
  }
}

/** A name with lookups, perhaps with filters. */
function isVariable(expression: Expression): boolean {
  switch (expression.type) {
    case 'Name':
      return true;
    case 'Member':
    case 'Index':
      return isVariable(expression.object);
    case 'Filter':
      return isVariable(expression.input);
    default:
      return false;
  }
}
