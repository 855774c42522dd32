/** The texts that an expression may be, as far as they are written in it. */
import type { Expression } from '../grammar/ast.ts';

/** Texts of the branches of an expression; empty if it is computed in another way. */
export function listLiteralTexts(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'string' ? [expression.value] : [];
    case 'Conditional':
      return [...listLiteralTexts(expression.then), ...listLiteralTexts(expression.otherwise)];
    case 'Logical':
      return [...listLiteralTexts(expression.left), ...listLiteralTexts(expression.right)];
    case 'List':
      return expression.items.flatMap(listLiteralTexts);
    case 'Filter':
      if (expression.name !== 'default' && expression.name !== 'default_if_none') return [];
      return [expression.input, ...expression.args].flatMap(listLiteralTexts);
    default:
      return [];
  }
}
