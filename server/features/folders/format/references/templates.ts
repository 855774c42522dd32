/** Calls in templates that name an object: `image(12)`, and in a folder `image("media/Pictures/harbour.png")`. */
import { listExpressions, walkExpression, walkNodes } from '../../../../../compiler/walk.ts';
import type { Expression, Literal } from '../../../../../grammar/ast.ts';
import { TemplateError } from '../../../../../grammar/errors.ts';
import { parse } from '../../../../../grammar/parse.ts';
import type { Replace, TargetKind } from './reference-place.ts';

const functions: ReadonlyMap<string, TargetKind> = new Map([
  ['image', 'file'],
  ['file', 'file'],
  ['asset_url', 'asset'],
  ['children', 'page'],
]);
const quick = /\b(?:image|file|asset_url|children)\s*\(/;

/** The template with other arguments; one with a mistake in its syntax stays as it is. */
export function replaceInTemplate(source: string, field: string, replace: Replace): string {
  if (!quick.test(source)) return source;
  const arguments_ = findArguments(source);
  let text = source;
  for (const { kind, literal } of arguments_.toReversed()) {
    const { value, start, end } = literal;
    const after = replace(value, { kind, field, collection: null, offset: start });
    if (after === value) continue;
    text = text.slice(0, start) + JSON.stringify(after) + text.slice(end);
  }
  return text;
}

interface CallArgument {
  readonly kind: TargetKind;
  readonly literal: Literal;
}

/** The literal first arguments, in the order of the text. */
function findArguments(source: string): readonly CallArgument[] {
  const found = new Map<number, CallArgument>();
  const visit = (expression: Expression): void => {
    if (expression.type !== 'Call' || expression.callee.type !== 'Name') return;
    const kind = functions.get(expression.callee.name);
    const [first] = expression.args;
    if (kind === undefined || first?.type !== 'Literal') return;
    if (typeof first.value === 'number' || typeof first.value === 'string')
      found.set(first.start, { kind, literal: first });
  };
  try {
    const { body, partials } = parse(source, 'template');
    for (const nodes of [body, ...partials.values()])
      walkNodes(nodes, (node) => {
        for (const expression of listExpressions(node)) walkExpression(expression, visit);
      });
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
  return [...found.values()].sort((left, right) => left.literal.start - right.literal.start);
}
