/**
 * Which names a stretch of template binds. As in Django, `for`, `with`, `block`, `filter`, a component's content
 * and a macro open a scope of their own; `if`, `autoescape` and `spaceless` do not. A name assigned anywhere in a
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
    switch (node.type) {
      case 'Set':
        names.add(node.name);
        break;
      case 'FirstOf':
      case 'Cycle':
      case 'Now':
      case 'Regroup':
      case 'WidthRatio':
        if (node.as !== undefined) names.add(node.as);
        break;
      case 'If':
      case 'Autoescape':
      case 'Spaceless':
      case 'IfChanged':
      case 'Partial':
      case 'Cache':
        for (const body of bodiesOf(node)) collect(body, names);
        break;
      default:
    }
  }
}
