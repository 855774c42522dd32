import { useSyncExternalStore } from 'react';
import { type Fields, isEqual } from './merge/fields.ts';

/** What every object in an editor has. */
export interface Editable {
  readonly id: number;
  readonly updated_at: number;
}

/** How the last save went. */
export type SaveState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Somebody else has saved meanwhile; `theirs` is the state now. */
  | { readonly kind: 'conflict'; readonly theirs: Editable }
  /** Somebody else has deleted the object. */
  | { readonly kind: 'gone' };

type Listener = () => void;

/**
 * An object in an editor: the state that the server has, and the fields that were changed here. Components
 * read single fields, so a keystroke draws one field again.
 */
export class EditorStore<Value extends Editable> {
  #base: Value;
  #changes: Partial<Value> = {};
  #state: SaveState = { kind: 'idle' };
  #isTaking = false;
  readonly #listeners = new Set<Listener>();

  constructor(base: Value) {
    this.#base = base;
  }

  get base(): Value {
    return this.#base;
  }

  get changes(): Partial<Value> {
    return this.#changes;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** Whether listeners are just told of a state that came from the server. */
  get isTaking(): boolean {
    return this.#isTaking;
  }

  get isChanged(): boolean {
    return Object.keys(this.#changes).length > 0;
  }

  /** The value of a field with the changes made here. */
  get<Name extends keyof Value>(name: Name): Value[Name] {
    const changed = this.#changes[name];
    // Type boundary: no field of the API is undefined, so undefined means unchanged.
    return changed === undefined ? this.#base[name] : (changed as Value[Name]);
  }

  /** The object with the changes made here. */
  whole(): Value {
    return { ...this.#base, ...this.#changes };
  }

  /** Changes a field. A field that is as on the server again counts as unchanged. */
  set<Name extends keyof Value>(name: Name, value: Value[Name]): void {
    const { [name]: _before, ...others } = this.#changes;
    // Type boundary: a partial value without one field, and perhaps with it again, is a partial value.
    const next = (isEqual(value, this.#base[name]) ? others : { ...others, [name]: value }) as Partial<Value>;
    this.#set({ changes: next });
  }

  /** Changes several fields. */
  change(fields: Partial<Value>): void {
    this.setChanges({ ...this.#changes, ...fields });
  }

  /** Replaces all changes: a restored draft, or the result of a merge. */
  setChanges(changes: Fields): void {
    const differing = Object.entries(changes).filter(
      ([name, value]) => !isEqual(value, Reflect.get(this.#base, name)),
    );
    // Type boundary: drafts and merges hold fields of this object only.
    this.#set({ changes: Object.fromEntries(differing) as Partial<Value> });
  }

  discard(): void {
    this.#set({ changes: {}, state: { kind: 'idle' } });
  }

  setState(state: SaveState): void {
    this.#set({ state });
  }

  /** Takes over a newer state of the server; changes made here stay. */
  rebase(base: Value): void {
    this.#base = base;
    this.setChanges(this.#changes);
  }

  /** Takes over a state of the server with the changes that are left. Undo does not take that back. */
  take(base: Value, changes: Fields, state: SaveState = this.#state): void {
    this.#base = base;
    this.#state = state;
    this.#isTaking = true;
    this.setChanges(changes);
    this.#isTaking = false;
  }

  /** After a save: what was sent is no change any more; what was typed meanwhile is. */
  saved(base: Value, sent: Fields): void {
    const later = Object.entries(this.#changes).filter(([name, value]) => !isEqual(value, sent[name]));
    this.#base = base;
    this.#state = { kind: 'saved', at: Math.floor(Date.now() / 1000) };
    this.setChanges(Object.fromEntries(later));
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set({ changes, state }: { readonly changes?: Partial<Value>; readonly state?: SaveState }): void {
    if (changes !== undefined) this.#changes = changes;
    if (state !== undefined) this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** A field of an editor with its setter. */
export function useField<Value extends Editable, Name extends keyof Value & string>(
  store: EditorStore<Value>,
  name: Name,
): readonly [Value[Name], (value: Value[Name]) => void] {
  const value = useSyncExternalStore(store.subscribe, () => store.get(name));
  return [value, (next) => store.set(name, next)];
}

export function useSaveState(store: Pick<EditorStore<Editable>, 'subscribe' | 'state'>): SaveState {
  return useSyncExternalStore(store.subscribe, () => store.state);
}

export function useIsChanged(store: Pick<EditorStore<Editable>, 'subscribe' | 'isChanged'>): boolean {
  return useSyncExternalStore(store.subscribe, () => store.isChanged);
}
