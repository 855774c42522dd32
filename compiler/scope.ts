/**
 * The names that a part of a template binds. As in Django, `for`, `with`, `block`, the content of a component
 * and a macro open a scope of their own; `if`, `filter`, `autoescape` and `spaceless` do not. A name assigned
 * anywhere in a scope belongs to that scope from the beginning of the scope, and starts with its outer value.
 * `{% cycle ... as name %}` alone also changes the name in the scopes around it, if it has a value there.
 */
import type { Node } from '../grammar/ast.ts';
import { isPlainLeaf, listBodies } from './walk.ts';

/**
 * Names that `set`, `as` and the like assign in this scope, and those of cycles in the scopes inside it; each
 * once, in order of appearance.
 */
export function assignedNames(nodes: readonly Node[]): readonly string[] {
  const names = new Set<string>();
  collect(nodes, true, (name) => names.add(name));
  return [...names];
}

/** Names that cycles assign in this scope and in the scopes inside it. */
export function namesOfCycles(nodes: readonly Node[]): ReadonlySet<string> {
  const names = new Set<string>();
  collect(nodes, true, (name, node) => {
    if (isCycle(node)) names.add(name);
  });
  return names;
}

/** Names that other tags than `cycle` assign in this scope: from then on a cycle does not change outer scopes. */
export function namesKeptInside(nodes: readonly Node[]): ReadonlySet<string> {
  const names = new Set<string>();
  collect(nodes, true, (name, node) => {
    if (!isCycle(node)) names.add(name);
  });
  return names;
}

type OnAssigned = (name: string, node: Node) => void;

/** @param isSame whether the nodes are in the scope itself, not in a scope inside it */
function collect(nodes: readonly Node[], isSame: boolean, onAssigned: OnAssigned): void {
  for (const node of nodes) {
    if (isPlainLeaf(node)) continue;
    const name = assignedName(node);
    if (name !== undefined) {
      if (isSame || isCycle(node)) onAssigned(name, node);
    } else if (sharesScope(node) || isScopeOfCycles(node)) {
      for (const body of listBodies(node)) collect(body, isSame && sharesScope(node), onAssigned);
    }
  }
}

function isCycle({ type }: Node): boolean {
  return type === 'Cycle' || type === 'CycleNext';
}

/** Whether the node opens a scope, but its bodies are written into the same function. */
function isScopeOfCycles({ type }: Node): boolean {
  return type === 'For' || type === 'With' || type === 'Slot';
}

/** The names that a node binds for its bodies or for the nodes after it. */
export function namesBoundBy(node: Node): readonly string[] {
  if (node.type === 'For') return [...node.targets, 'forloop'];
  if (node.type === 'With') return node.bindings.map(({ name }) => name);
  const name = assignedName(node);
  return name === undefined ? [] : [name];
}

/** The name that the tag itself assigns; undefined if it assigns none. */
export function assignedName(node: Node): string | undefined {
  switch (node.type) {
    case 'Set':
    case 'CycleNext':
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

/** Whether names assigned in the bodies of a node belong to the scope around the node. */
export function sharesScope({ type }: Node): boolean {
  switch (type) {
    case 'If':
    case 'Autoescape':
    case 'FilterBlock':
    case 'Spaceless':
    case 'IfChanged':
    case 'Partial':
    case 'Region':
    case 'Cache':
      return true;
    default:
      return false;
  }
}
