import { useMemo, useSyncExternalStore } from 'react';
import { fieldFaults, pathFaults } from '../api/failure-text.ts';
import type { Faults } from '../kit/form/form-texts.ts';
import { type Editable, type EditorStore, useSaveState } from './editor-store.ts';

const noFaults: Faults = {};

/** What the server has refused of the last save, by field. */
function useFaults<Value extends Editable>(store: EditorStore<Value>): Faults {
  const state = useSaveState(store);
  return useMemo(() => (state.kind === 'failed' ? fieldFaults(state.error) : noFaults), [state]);
}

/** The same by the whole path, such as `opening.0.day`, for fields whose values have parts. */
export function usePathFaults<Value extends Editable>(store: EditorStore<Value>): Faults {
  const state = useSaveState(store);
  return useMemo(() => (state.kind === 'failed' ? pathFaults(state.error) : noFaults), [state]);
}

interface FormState<Value> {
  readonly values: Value;
  readonly faults: Faults;
  onChange(change: Partial<Value>): void;
}

/** The object in an editor as the values of a `SchemaForm`. */
export function useForm<Value extends Editable>(store: EditorStore<Value>): FormState<Value> {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const changes = useSyncExternalStore(store.subscribe, () => store.changes);
  const values = useMemo(() => ({ ...base, ...changes }), [base, changes]);
  const onChange = useMemo(() => store.change.bind(store), [store]);
  return { values, faults: useFaults(store), onChange };
}
