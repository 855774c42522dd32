import { type BlockSchema, readBlockSchema } from '../../../runtime/blocks/schema.ts';
import {
  type Block,
  type BlockTree,
  blocksIn,
  isReference,
  listSlots,
} from '../../../runtime/blocks/tree.ts';
import type { FieldTarget } from '../../../runtime/fields/targets.ts';
import type { ContentDb } from '../../db/tables.ts';
import * as store from './store.ts';

/** A global block as the rules of trees see it. */
export interface GlobalFacts {
  readonly tree: BlockTree;
  /** Types of its top-level blocks; global blocks at its top level give theirs. */
  readonly topTypes: readonly string[];
  /** Levels of blocks, those of global blocks in it included; at least 1. */
  readonly levels: number;
  /** Global blocks in it, directly or not. */
  readonly contains: ReadonlySet<number>;
}

/**
 * What the rules of one tree ask about other objects: block types, global blocks, files, entries, pages. Each answer is
 * read once.
 */
export class TreeRuleLookup {
  readonly #db: ContentDb;
  readonly #types = new Map<string, BlockSchema | null | undefined>();
  readonly #globals = new Map<number, Promise<GlobalFacts | undefined>>();
  readonly #unsaved: ReadonlyMap<number, BlockTree>;
  readonly #exist = new Map<string, boolean>();

  /** @param unsaved trees that global blocks would have */
  constructor(db: ContentDb, unsaved: ReadonlyMap<number, BlockTree> = new Map()) {
    this.#db = db;
    this.#unsaved = unsaved;
  }

  /** A block type; null for a snippet that is none, undefined if there is no such snippet. */
  type(name: string): BlockSchema | null | undefined | Promise<BlockSchema | null | undefined> {
    return this.#types.has(name) ? this.#types.get(name) : this.#readType(name);
  }

  /** A global block; undefined if there is none with this ID. */
  global(id: number): Promise<GlobalFacts | undefined> {
    return this.#global(id, []);
  }

  /** Whether what a value leads to is there. */
  has({ kind, collection, id }: FieldTarget): boolean | Promise<boolean> {
    switch (kind) {
      case 'file':
        return this.#known(`file ${id}`, () => store.hasFile(this.#db, id));
      case 'page':
        return this.#known(`page ${id}`, () => store.hasPage(this.#db, id));
      case 'item':
        return this.#known(`item ${collection} ${id}`, () =>
          collection === null ? store.hasEntry(this.#db, id) : store.hasItem(this.#db, collection, id),
        );
    }
  }

  /** Facts about a tree as that of a global block. */
  factsOf(tree: BlockTree): Promise<GlobalFacts> {
    return this.#factsOf(tree, []);
  }

  /** @param inside the global blocks around it: one that is in itself counts as empty there */
  #global(id: number, inside: readonly number[]): Promise<GlobalFacts | undefined> {
    if (inside.includes(id)) return Promise.resolve(emptyFacts);
    const known = this.#globals.get(id);
    if (known !== undefined) return known;
    const facts = this.#readGlobal(id, inside);
    this.#globals.set(id, facts);
    return facts;
  }

  async #readGlobal(id: number, inside: readonly number[]): Promise<GlobalFacts | undefined> {
    const tree = this.#unsaved.get(id) ?? (await store.findGlobalTree(this.#db, id));
    return tree === undefined ? undefined : this.#factsOf(tree, [...inside, id]);
  }

  async #factsOf(tree: BlockTree, inside: readonly number[]): Promise<GlobalFacts> {
    const contains = new Set<number>();
    for (const [, block] of blocksIn(tree)) {
      if (!isReference(block) || contains.has(block.global)) continue;
      contains.add(block.global);
      for (const id of (await this.#global(block.global, inside))?.contains ?? []) contains.add(id);
    }
    const topTypes = new Set<string>();
    for (const block of tree) {
      if (!isReference(block)) topTypes.add(block.type);
      else for (const type of (await this.#global(block.global, inside))?.topTypes ?? []) topTypes.add(type);
    }
    return { tree, topTypes: [...topTypes], levels: await this.#levelsOf(tree, inside), contains };
  }

  async #levelsOf(tree: BlockTree, inside: readonly number[]): Promise<number> {
    let levels = 1;
    for (const block of tree) levels = Math.max(levels, await this.#levelsOfBlock(block, inside));
    return levels;
  }

  async #levelsOfBlock(block: Block, inside: readonly number[]): Promise<number> {
    if (isReference(block)) return (await this.#global(block.global, inside))?.levels ?? 1;
    let levels = 1;
    for (const [, list] of listSlots(block))
      levels = Math.max(levels, 1 + (await this.#levelsOf(list, inside)));
    return levels;
  }

  async #readType(name: string): Promise<BlockSchema | null | undefined> {
    const stored = await store.findSchema(this.#db, name);
    const schema = stored === undefined || stored === null ? stored : readBlockSchema(stored);
    const type = schema === undefined ? undefined : schema?.block === true ? schema : null;
    this.#types.set(name, type);
    return type;
  }

  #known(key: string, ask: () => Promise<boolean>): boolean | Promise<boolean> {
    return this.#exist.get(key) ?? this.#asked(key, ask);
  }

  async #asked(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const exists = await ask();
    this.#exist.set(key, exists);
    return exists;
  }
}

const emptyFacts: GlobalFacts = { tree: [], topTypes: [], levels: 1, contains: new Set() };
