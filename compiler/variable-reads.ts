import type { Template } from '../grammar/ast.ts';
import { parse } from '../grammar/parse.ts';
import { type Position, positionAt } from '../grammar/positions.ts';
import { analyse } from './analyse.ts';
import { isName } from './content-reads.ts';
import { listExpressions, walkExpression, walkNodes } from './walk.ts';

/** The places where a template reads a variable that it does not bind itself. @throws TemplateError */
export function findVariableReads(source: string, name: string, variable: string): readonly Position[] {
  const template = parse(source, name);
  if (!analyse(template).free.includes(variable)) return [];
  return [...offsetsIn(template, variable)]
    .sort((left, right) => left - right)
    .map((offset) => positionAt(source, offset));
}

/** The places where a template names a collection or source: the offset of the literal. @throws TemplateError */
export function findCollectionReads(
  source: string,
  name: string,
  slug: string,
): readonly (Position & { readonly offset: number })[] {
  return analyse(parse(source, name))
    .collections.filter((read) => read.slug === slug)
    .map(({ offset }) => ({ ...positionAt(source, offset), offset }));
}

/**
 * Whether a template reads the part of the path below the page, `route.slug` or `route.rest`, other than to find an
 * entry by it. @throws TemplateError
 */
export function choosesByRoute(source: string, name: string): boolean {
  const template = parse(source, name);
  const { collections } = analyse(template);
  let reads = 0;
  walkNodes(template.body, (node) => {
    for (const expression of listExpressions(node)) {
      walkExpression(expression, (part) => {
        if (
          part.type === 'Member' &&
          isName(part.object, 'route') &&
          (part.key === 'slug' || part.key === 'rest')
        )
          reads += 1;
      });
    }
  });
  return reads > collections.filter(({ routeField }) => routeField !== null).length;
}

function offsetsIn(template: Template, variable: string): ReadonlySet<number> {
  const offsets = new Set<number>();
  walkNodes(template.body, (node) => {
    for (const expression of listExpressions(node)) {
      walkExpression(expression, (part) => {
        if (part.type === 'Name' && part.name === variable) offsets.add(part.start);
      });
    }
  });
  return offsets;
}
