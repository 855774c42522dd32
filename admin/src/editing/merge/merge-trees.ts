/** Three-way merge of block trees: blocks are compared by their IDs, their values one by one. */
import { isEqual } from './fields.ts';

type Json = Readonly<Record<string, unknown>>;

interface Block extends Json {
  readonly id: string;
}

/**
 * @returns the merged tree; undefined if both sides have changed the order or number of blocks, or the same value
 *   in different ways
 */
export function mergeTrees(base: unknown, mine: unknown, theirs: unknown): readonly Block[] | undefined {
  if (!isTree(base) || !isTree(mine) || !isTree(theirs)) return undefined;
  const shapes = [base, mine, theirs].map(shapeOf);
  const [before, here, there] = shapes.map((shape) => JSON.stringify(shape));
  if (here !== before && there !== before && here !== there) return undefined;
  const merging = new Merging(contentsOf(base), contentsOf(mine), contentsOf(theirs));
  return merging.tree(here === before ? theirs : mine);
}

/** Thrown inside of this file where both sides have changed the same. */
class Overlap extends Error {}

class Merging {
  readonly #base: ReadonlyMap<string, Json>;
  readonly #mine: ReadonlyMap<string, Json>;
  readonly #theirs: ReadonlyMap<string, Json>;

  constructor(
    base: ReadonlyMap<string, Json>,
    mine: ReadonlyMap<string, Json>,
    theirs: ReadonlyMap<string, Json>,
  ) {
    this.#base = base;
    this.#mine = mine;
    this.#theirs = theirs;
  }

  /** @param shaped the tree whose order and number of blocks count */
  tree(shaped: readonly Block[]): readonly Block[] | undefined {
    try {
      return this.#list(shaped);
    } catch (error) {
      if (error instanceof Overlap) return undefined;
      throw error;
    }
  }

  #list(shaped: readonly Block[]): readonly Block[] {
    return shaped.map((block) => {
      const { id } = block;
      const own = this.#base.get(id) ?? {};
      const [mine, theirs] = [this.#mine.get(id), this.#theirs.get(id)];
      const content =
        mine === undefined || theirs === undefined ? (mine ?? theirs) : merged(own, mine, theirs);
      const slots = slotsOf(block).map(([slot, list]) => [slot, this.#list(list)] as const);
      return { ...content, id, ...(slots.length === 0 ? {} : { slots: Object.fromEntries(slots) }) };
    });
  }
}

/** Values by name. What one side has changed wins; objects of values are merged in turn. */
function merged(base: Json, mine: Json, theirs: Json): Json {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const values = [...names].map((name) => [name, mergedValue(base[name], mine[name], theirs[name])] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function mergedValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isEqual(mine, theirs) || isEqual(theirs, base)) return mine;
  if (isEqual(mine, base)) return theirs;
  if (isObject(mine) && isObject(theirs)) return merged(isObject(base) ? base : {}, mine, theirs);
  throw new Overlap();
}

/** Which blocks stand where, without their values. */
function shapeOf(tree: readonly Block[]): unknown {
  return tree.map((block) => [block.id, slotsOf(block).map(([slot, list]) => [slot, shapeOf(list)])]);
}

/** The blocks of a tree by their IDs, without what is inside of them. */
function contentsOf(tree: readonly Block[], found = new Map<string, Json>()): ReadonlyMap<string, Json> {
  for (const block of tree) {
    const { slots: _slots, ...content } = block;
    found.set(block.id, content);
    for (const [, list] of slotsOf(block)) contentsOf(list, found);
  }
  return found;
}

function slotsOf({ slots }: Block): readonly (readonly [string, readonly Block[]])[] {
  if (!isObject(slots)) return [];
  return Object.entries(slots).flatMap(([slot, list]) => (isTree(list) ? [[slot, list] as const] : []));
}

function isTree(value: unknown): value is readonly Block[] {
  return Array.isArray(value) && value.every((block) => isObject(block) && typeof block['id'] === 'string');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
