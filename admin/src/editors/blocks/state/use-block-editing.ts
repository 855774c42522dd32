import { useEffect, useMemo, useRef } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { failureText } from '../../../api/failure-text.ts';
import { type Editable, type EditorStore, useSaveState } from '../../../editing/editor-store.ts';
import type { BlockFacts } from '../model/rules.ts';
import { type BlockTree, blockAt, toBlockTree } from '../model/tree.ts';
import { BlockEditing, type ParamFault, type TreeSource } from './editing.ts';

/** Editors of trees by what has the tree, so that steps can be undone after a look at another tab. */
const known = new WeakMap<object, Map<string, BlockEditing>>();

/** The editor of the tree in a field of an object. */
export function useBlockEditing<Value extends Editable, Name extends keyof Value & string>(
  store: EditorStore<Value>,
  name: Name,
  facts: BlockFacts,
): BlockEditing {
  const editing = useMemo(() => {
    const ofStore = known.get(store) ?? new Map<string, BlockEditing>();
    known.set(store, ofStore);
    const open = ofStore.get(name) ?? new BlockEditing(sourceOf(store, name), facts);
    ofStore.set(name, open);
    return open;
  }, [store, name, facts]);
  useEffect(() => editing.setFacts(facts), [editing, facts]);
  useEffect(() => editing.follow(), [editing]);
  return editing;
}

const emptyTree: BlockTree = [];

function sourceOf<Value extends Editable, Name extends keyof Value & string>(
  store: EditorStore<Value>,
  name: Name,
): TreeSource {
  return {
    get: () => {
      const value = store.get(name);
      return Array.isArray(value) ? toBlockTree(value) : emptyTree;
    },
    // Type boundary: the field holds a tree, or null in its place.
    set: (tree) =>
      store.set(name, (tree.length === 0 && store.base[name] === null ? null : tree) as Value[Name]),
    subscribe: store.subscribe,
    isSaved: () => store.isTaking || (store.state.kind === 'saved' && !store.isChanged),
  };
}

/** What the server found wrong with a tree at the last save: the block, and its parameter where it is about one. */
export function useTreeFault(
  store: Pick<EditorStore<Editable>, 'subscribe' | 'state'>,
  tree: () => BlockTree,
): ParamFault | undefined {
  const state = useSaveState(store);
  // Places of the fault are those of the refused save: a later change of the tree does not look for them again.
  const latest = useRef(tree);
  latest.current = tree;
  return useMemo(() => {
    const error = state.kind === 'failed' ? state.error : undefined;
    if (!(error instanceof ApiFailure) || !error.code.startsWith('block.')) return undefined;
    const { path, param } = error.params;
    const block = typeof path === 'string' ? blockAt(latest.current(), path) : undefined;
    if (block === undefined) return undefined;
    const inner = /\.overrides\.([^.]+)$/.exec(String(path))?.[1];
    const [name, ...parts] = typeof param === 'string' ? param.split('.') : [];
    return {
      id: block.id,
      inner,
      param: name,
      part: parts.join('.'),
      text: failureText(error),
    };
  }, [state]);
}
