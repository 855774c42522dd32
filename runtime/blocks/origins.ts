/**
 * Where a tree comes from, for the marks of previews: `item:<collection>:<entry>:<field>`. The trees of stored
 * entries are the same objects in all renders, and always have the same origin.
 */
const origins = new WeakMap<object, string>();

/** Notes the origin of a tree, and returns the tree. */
export function withOrigin<Tree extends object>(tree: Tree, origin: string): Tree {
  origins.set(tree, origin);
  return tree;
}

export function findOrigin(tree: unknown): string | undefined {
  return typeof tree === 'object' && tree !== null ? origins.get(tree) : undefined;
}
