import { LRUCache } from 'lru-cache';
import type { BlockTree } from '../blocks/tree.ts';
import type { Dependency } from './dependencies.ts';

/** Characters of JSON of all kept trees. In memory a tree takes about five bytes for each. */
const maxCharacters = 8 * 2 ** 20;

/**
 * Block trees that a worker has read. What is prepared for a render is kept with the blocks of a tree.
 *
 * - Key: the dependency that stands for the tree.
 * - Limit: {@link maxCharacters}; the least recently used trees go.
 */
export class BlockTreeCache {
  readonly #trees = new LRUCache<Dependency, { readonly tree: BlockTree; readonly size: number }>({
    maxSize: maxCharacters,
    sizeCalculation: ({ size }) => size,
  });

  /** @param read the tree as JSON; undefined if there is none */
  get(key: Dependency, read: () => string | undefined): BlockTree | undefined {
    const known = this.#trees.get(key);
    if (known !== undefined) return known.tree;
    const json = read();
    if (json === undefined) return undefined;
    // Type boundary: the server stores checked trees.
    const tree = JSON.parse(json) as BlockTree;
    this.#trees.set(key, { tree, size: json.length });
    return tree;
  }

  drop(key: Dependency): void {
    this.#trees.delete(key);
  }

  clear(): void {
    this.#trees.clear();
  }
}
