import { useSyncExternalStore } from 'react';
import { isEqual } from '../../../editing/merge/fields.ts';
import { mergeTrees } from '../../../editing/merge/merge-trees.ts';
import { StepHistory } from '../../../editing/step-history.ts';
import { type BlockFacts, refusal } from '../model/rules.ts';
import { nothing, type Selection, type TreeState } from '../model/selection.ts';
import { type Block, type BlockTree, blocksIn, findBlock, isReference, toBlockTree } from '../model/tree.ts';

/** Where a tree is kept: a field of a page, of a global block, or of an entry. */
export interface TreeSource {
  get(): BlockTree;
  set(tree: BlockTree): void;
  subscribe(listener: () => void): () => void;
  /** The server has just answered with this tree: what differs is how it stores it, or what others have saved. */
  isSaved(): boolean;
}

/** A block as the panel shows it: one of the tree, or one inside of a global block. */
export interface ShownBlock {
  readonly id: string;
  /** ID of a block inside of the global block that `id` stands for. */
  readonly inner?: string | undefined;
}

/** What the server found wrong with a parameter. */
export interface ParamFault extends ShownBlock {
  readonly param: string | undefined;
  /** Path inside of the value of the parameter, such as `0.day`; empty for the value as a whole. */
  readonly part: string;
  readonly text: string;
}

type Listener = () => void;

/** A block tree in the editor: what is chosen, what is closed in the outline, and the steps that can be undone. */
export class BlockEditing {
  readonly #source: TreeSource;
  readonly #history = new StepHistory<TreeState>();
  readonly #listeners = new Set<Listener>();
  #tree: BlockTree;
  #selection: Selection = nothing;
  #closed: ReadonlySet<string> = new Set();
  #facts: BlockFacts;
  #announcement = '';
  #isTyping = false;

  constructor(source: TreeSource, facts: BlockFacts) {
    this.#source = source;
    this.#facts = facts;
    this.#tree = source.get();
  }

  get tree(): BlockTree {
    return this.#tree;
  }

  get selection(): Selection {
    return this.#selection;
  }

  get facts(): BlockFacts {
    return this.#facts;
  }

  /** Keys of closed rows of the outline, as `outlineRows` takes them. */
  get closed(): ReadonlySet<string> {
    return this.#closed;
  }

  /** What a screen reader says about the last change. */
  get announcement(): string {
    return this.#announcement;
  }

  /** Whether the last change was typing, after which the preview may wait. */
  get isTyping(): boolean {
    return this.#isTyping;
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  /** Follows the source: another editor of it, a restored draft, a merge. Returns how to stop. */
  follow(): () => void {
    this.#takeOver();
    return this.#source.subscribe(() => this.#takeOver());
  }

  setFacts(facts: BlockFacts): void {
    if (facts === this.#facts) return;
    this.#facts = facts;
    this.#tell();
  }

  select(selection: Selection): void {
    if (isEqual(selection, this.#selection)) return;
    this.#selection = selection;
    this.#tell();
  }

  setClosed(key: string, isClosed: boolean): void {
    const closed = new Set(this.#closed);
    if (isClosed) closed.add(key);
    else closed.delete(key);
    this.#closed = closed;
    this.#tell();
  }

  announce(text: string): void {
    this.#announcement = text;
    this.#tell();
  }

  /**
   * Changes the tree as one step.
   *
   * @param merge what is typed: such changes shortly after one another are one step
   */
  change(tree: BlockTree, selection: Selection = this.#selection, merge?: string): void {
    if (tree === this.#tree) {
      this.select(selection);
      return;
    }
    const before = { tree: this.#tree, selection: this.#selection };
    this.#history.add(before, { tree, selection }, merge);
    this.#isTyping = merge !== undefined;
    this.#show(tree, selection);
  }

  undo(): void {
    const state = this.#history.undo();
    this.#isTyping = false;
    if (state !== undefined) this.#show(state.tree, state.selection);
  }

  redo(): void {
    const state = this.#history.redo();
    this.#isTyping = false;
    if (state !== undefined) this.#show(state.tree, state.selection);
  }

  /** The chosen blocks that are still there. */
  chosen(): readonly Block[] {
    return this.#selection.ids.flatMap((id) => findBlock(this.#tree, id) ?? []);
  }

  /** A block of the tree, or one inside of a global block of it. */
  find({ id, inner }: ShownBlock): Block | undefined {
    const block = findBlock(this.#tree, id);
    if (inner === undefined || block === undefined || !isReference(block)) return block;
    return findBlock(toBlockTree(this.#facts.globals.get(block.global)?.blocks), inner);
  }

  /** Whether blocks may be put into a list. */
  refusal(...args: Parameters<typeof refusal> extends [BlockFacts, BlockTree, ...infer Rest] ? Rest : never) {
    return refusal(this.#facts, this.#tree, ...args);
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #show(tree: BlockTree, selection: Selection): void {
    this.#tree = tree;
    this.#selection = stillThere(tree, selection);
    this.#source.set(tree);
    this.#tell();
  }

  #takeOver(): void {
    const tree = this.#source.get();
    if (tree === this.#tree) return;
    if (!isEqual(tree, this.#tree)) this.#noteChange(tree);
    this.#tree = tree;
    this.#selection = stillThere(tree, this.#selection);
    this.#isTyping = false;
    this.#tell();
  }

  /** A step of this editor that is taken back leaves what others have saved. */
  #noteChange(tree: BlockTree): void {
    const before = this.#tree;
    if (this.#source.isSaved())
      this.#history.map((state) => ({
        ...state,
        tree: toBlockTree(mergeTrees(before, state.tree, tree) ?? state.tree),
      }));
    else {
      const selection = stillThere(tree, this.#selection);
      this.#history.add({ tree: before, selection: this.#selection }, { tree, selection });
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function stillThere(tree: BlockTree, selection: Selection): Selection {
  const known = new Set([...blocksIn(tree)].map(({ id }) => id));
  const ids = selection.ids.filter((id) => known.has(id));
  return ids.length === selection.ids.length ? selection : ids.length === 0 ? nothing : { ids };
}

/** A part of the editor's state. @param read must give the same value as long as it says the same */
export function useEditing<Value>(editing: BlockEditing, read: (editing: BlockEditing) => Value): Value {
  return useSyncExternalStore(editing.subscribe, () => read(editing));
}
