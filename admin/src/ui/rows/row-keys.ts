import { useRef } from 'react';

export interface RowKeys {
  readonly keys: readonly number[];
  /** Called together with the change of the rows. */
  remove(index: number): void;
  move(from: number, to: number): void;
}

/**
 * Keys for rows that have no identity of their own, because their names change while they are typed: each row keeps
 * its focus and its state when another one goes or moves.
 */
export function useRowKeys(count: number): RowKeys {
  const { current: state } = useRef<{ keys: number[]; next: number }>({ keys: [], next: 0 });
  while (state.keys.length < count) state.keys.push(state.next++);
  // Rows can also go without a call, by undo.
  state.keys.length = count;
  return {
    keys: [...state.keys],
    remove: (index) => void state.keys.splice(index, 1),
    move: (from, to) => void state.keys.splice(to, 0, ...state.keys.splice(from, 1)),
  };
}
