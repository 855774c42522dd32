import { useRef } from 'react';

export interface Rows<Item> {
  readonly keys: readonly number[];
  change(index: number, item: Item): void;
  move(index: number, by: number): void;
  remove(index: number): void;
}

/**
 * A list of rows that have no identity of their own, because their names change while they are typed: by its key
 * each row keeps its focus and its state when another one goes or moves.
 */
export function useRows<Item>(items: readonly Item[], onChange: (items: Item[]) => void): Rows<Item> {
  const { current: state } = useRef<{ keys: number[]; next: number }>({ keys: [], next: 0 });
  while (state.keys.length < items.length) state.keys.push(state.next++);
  // Rows can also go without a call, by undo.
  state.keys.length = items.length;
  return {
    keys: [...state.keys],
    change: (index, item) => onChange(items.with(index, item)),
    move(index, by) {
      state.keys = moved(state.keys, index, by);
      onChange(moved(items, index, by));
    },
    remove(index) {
      state.keys.splice(index, 1);
      onChange(items.toSpliced(index, 1));
    },
  };
}

function moved<Item>(items: readonly Item[], index: number, by: number): Item[] {
  return items.toSpliced(index, 1).toSpliced(index + by, 0, ...items.slice(index, index + 1));
}
