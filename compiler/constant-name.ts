import type { TemplateRef } from '../grammar/ast.ts';

/** The name of another template; undefined if only the data say it. */
export function constantName(template: TemplateRef): string | undefined {
  if (template.kind === 'expression' || (template.kind === 'word' && template.lookup !== undefined))
    return undefined;
  return template.name;
}
