/**
 * Which names a stretch of template binds. As in Django, `for`, `with`, `block`, a component's content and a macro
 * open a scope of their own; `if`, `filter`, `autoescape` and `spaceless` do not. A name assigned anywhere in a
 * scope belongs to that scope from its beginning (it starts with the outer value).
 */
import type { Node } from '../grammar/ast.ts';
import { bodiesOf } from './walk.ts';

/** Names that `set`, `as` and the like assign in this scope, each once, in order of appearance. */
export function assignedNames(nodes: readonly Node[]): readonly string[] {
  const names = new Set<string>();
  collect(nodes, names);
  return [...names];
}

function collect(nodes: readonly Node[], names: Set<string>): void {
  for (const node of nodes) {
    const name = assignedName(node);
    if (name !== undefined) names.add(name);
    else if (sharesScope(node)) for (const body of bodiesOf(node)) collect(body, names);
  }
}

/** The name that a tag itself assigns, if it does. */
export function assignedName(node: Node): string | undefined {
  switch (node.type) {
    case 'Set':
      return node.name;
    case 'FirstOf':
    case 'Cycle':
    case 'Now':
    case 'QueryString':
    case 'Regroup':
    case 'WidthRatio':
      return node.as;
    default:
      return undefined;
  }
}

/** Whether what is assigned in the bodies of a node belongs to the scope around it. */
function sharesScope({ type }: Node): boolean {
  switch (type) {
    case 'If':
    case 'Autoescape':
    case 'FilterBlock':
    case 'Spaceless':
    case 'IfChanged':
    case 'Partial':
    case 'Cache':
      return true;
    default:
      return false;
  }
}
