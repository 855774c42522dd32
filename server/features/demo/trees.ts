/** Block trees of the demo website, in which `{ "file": n }` stands for a file and a key for a global block. */

export interface TreeIds {
  /** @param position in the list of files, from 1 */
  file(position: number): number;
  /** @param key of the global block in `site.json` */
  global(key: string): number;
}

/** The tree with the IDs that files and global blocks have. */
export function withIds(tree: unknown, ids: TreeIds): unknown {
  if (Array.isArray(tree)) return tree.map((part: unknown) => withIds(part, ids));
  if (typeof tree !== 'object' || tree === null) return tree;
  if ('file' in tree && typeof tree.file === 'number') return ids.file(tree.file);
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [
      name,
      name === 'global' ? ids.global(String(value)) : withIds(value, ids),
    ]),
  );
}
