/** Which answers of the server a change of content makes old. */

/** Kinds of objects in the log of changes. */
export type ChangeKind =
  | 'page'
  | 'snippet'
  | 'asset'
  | 'redirect'
  | 'file'
  | 'folder'
  | 'collection'
  | 'item'
  | 'source'
  | 'global_block'
  | 'workflow'
  | 'flow_node'
  | 'import'
  | 'change_set'
  | 'pen';

/** First parts of query keys by kind. What no loaded code asks for is not in it. */
const keysOfKind = new Map<string, Set<string>>();

/** Lets queries follow the changes of some kinds. @param keys first parts of their keys */
export function followChanges(kinds: readonly ChangeKind[], ...keys: readonly string[]): void {
  for (const kind of kinds) keysOfKind.set(kind, new Set([...(keysOfKind.get(kind) ?? []), ...keys]));
}

/** First parts of the keys of all queries that depend on a kind. */
export function findQueryKeys(kind: string): ReadonlySet<string> {
  return keysOfKind.get(kind) ?? new Set();
}
